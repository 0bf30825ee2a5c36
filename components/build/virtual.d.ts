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
  /** Addresses of the style sheets of a page or overlay, for navigations in the browser. */
  export const styles: Readonly<Record<string, readonly string[]>>
}

declare module 'build:texts' {
  /** Where the texts of single pages and overlays lie (`<prefix><id>-<lang>.json`), and which have some. */
  export const texts: { readonly prefix: string; readonly ids: readonly string[] }
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
