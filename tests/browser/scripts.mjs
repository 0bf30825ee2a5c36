/** Which files of the build a page has asked for: by what stands in them, as their names tell nothing that lasts. */

/** Files among `requests` whose text is like `pattern`, without those of other hosts. */
export async function filesWith(requests, pattern, web) {
  const files = new Set(requests.map((one) => one.url()).filter((url) => url.startsWith(`${web}/assets/`)))
  const found = []
  for (const url of files) {
    const answer = await fetch(url)
    if (pattern.test(await answer.text())) found.push(url)
  }
  return found
}
