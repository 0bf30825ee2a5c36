/** What is known against packages and crates, as the tools that ask for it answer. */

/** What was found, or why nobody could be asked. */
const found = (hits) => ({ hits, unreached: null })
const unreached = (why) => ({ hits: [], unreached: why })

/** The last part of an advisory's address is its id. */
const idOf = ({ url, source }) => url?.split('/').at(-1) ?? String(source)

/**
 * What `npm audit --json` says. It may not be reached: without an answer, or behind a registry that has the packages alone.
 * Anything else that is no report is an error: nothing was checked, and not for want of a network.
 */
export function readNpm(stdout) {
  const report = JSON.parse(stdout)
  if (report.vulnerabilities) {
    const hits = new Map()
    // A name leads to the package that has it from there.
    for (const { via, nodes } of Object.values(report.vulnerabilities))
      for (const one of via.filter((one) => typeof one === 'object'))
        hits.set(`${idOf(one)} ${one.name}`, {
          id: idOf(one),
          name: one.name,
          severity: one.severity,
          title: one.title,
          places: nodes,
        })
    return found([...hits.values()])
  }
  const { message, statusCode } = report
  if (message && (statusCode === undefined || [401, 403, 404, 405].includes(statusCode) || statusCode >= 500))
    return unreached(statusCode ? `the registry answers ${statusCode}` : 'the registry does not answer')
  throw new Error(`npm audit: ${stdout.slice(0, 300)}`)
}

/** What `cargo audit --json` says, where that command is installed and has or gets its database. */
export function readCargo({ stdout, stderr }) {
  if (/no such (sub)?command/.test(stderr)) return unreached('cargo audit is not installed')
  if (
    !stdout.trim() &&
    /couldn't fetch advisory database|advisory database.*(not found|doesn't exist)/i.test(stderr)
  )
    return unreached('cargo audit has no database')
  const report = JSON.parse(stdout)
  return found(
    report.vulnerabilities.list.map(({ advisory, package: { name, version } }) => ({
      id: advisory.id,
      name: `${name} ${version}`,
      severity: advisory.severity ?? null,
      title: advisory.title,
    })),
  )
}
