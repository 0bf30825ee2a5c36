/** A title that says first what the page is about, when that is known. */
export function about(name: string | undefined, what: string): string {
  return name ? `${name} · ${what}` : what
}
