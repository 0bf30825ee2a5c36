/** Modules that the build makes (see plugins.mjs). */

declare module 'build:assets' {
  /** Address of the icon sprite. */
  export const sprite: string
}

declare module 'build:scanner' {
  /** What reads barcodes where the browser does not: its address, and how much has to be fetched for it. */
  export const wasm: { readonly url: string; readonly kilobytes: number }
}

declare module 'build:styles' {
  /**
   * The style sheets for navigations in the browser (`<prefix><id>-<hash>.css`): a hash for each page and then each overlay,
   * in the order of their loaders; an empty one where there is no sheet.
   */
  export const styles: { readonly prefix: string; readonly hashes: readonly string[] }
}

declare module 'build:texts' {
  /** Where the texts of single pages and overlays lie (`<prefix><id>-<lang>.json`), and which have none. */
  export const texts: { readonly prefix: string; readonly without: readonly string[] }
}

declare module 'build:worker-texts' {
  /** What the service worker says by itself. */
  export const texts: Readonly<
    Record<import('../lib/page-data.ts').Lang, import('../lib/text/message.ts').Catalogue>
  >
}

/** Styles: the build collects what a page imports. */
declare module '*.css'

declare module 'locale:*' {
  export const catalogue: import('../lib/text/message.ts').Catalogue
}

declare module 'test:catalogues' {
  /** For tests/browser: the texts of every language, and the keys that hold a plural with its placeholder. */
  export const catalogues: Record<
    import('../lib/page-data.ts').Lang,
    import('../lib/text/message.ts').Catalogue
  >
  export const plurals: readonly { key: string; name: string }[]
}
