/**
 * Which modules come in one file. The bundler makes a file of each set of screens that share something: many of a few
 * hundred bytes each, with heads of their own and hardly compressed. Two are put together where the files that this
 * spares are worth more than the bytes that some screens then get for nothing.
 */

/** What a file costs besides its content, in bytes of minified code. */
const FILE = 600

/** A step of the way that most guests go counts as this many screens. */
const STEP = 12

/**
 * The modules that come with the entry, though a first visit does without them: so small and so widely used that files of
 * their own would cost more than all visits then pay for them.
 */
export function neededByMost({ outputs }, { taken, way, after = [] }) {
  const { everyone, countOf, shared } = readVisits(outputs, { taken, way, after })
  return shared
    .filter(({ bytes, users }) => bytes * countOf(everyone) < (bytes + FILE) * countOf(users))
    .flatMap(({ files }) => files)
}

/**
 * `{ kit, into }` for each group: its modules, and the entry points that get all of them. `taken` are modules that come
 * in another way, `way` the entry points that most guests come by, one after the other, `after` those that follow each
 * of these.
 */
export function groupsOf({ outputs }, { taken, way, after = [] }) {
  const { starts, countOf, shared } = readVisits(outputs, { taken, way, after })
  const priceOf = (groups) =>
    groups.reduce((sum, { bytes, users }) => sum + (bytes + FILE) * countOf(users), 0)

  let groups = shared
  for (let price = priceOf(groups); ; ) {
    let best
    for (const [at, one] of groups.entries()) {
      for (const other of groups.slice(at + 1)) {
        const tried = withTogether(groups, one, other)
        const paid = priceOf(tried)
        if (paid < price) [best, price] = [tried, paid]
      }
    }
    if (!best) break
    groups = best
  }
  return groups.map(({ files, users }) => ({
    kit: files,
    into: starts.filter((_, at) => users & (1n << BigInt(at))).map((path) => outputs[path].entryPoint),
  }))
}

/** The entry points, how many visits a set of them counts as, and what several of them share. */
function readVisits(outputs, { taken, way, after }) {
  const starts = Object.keys(outputs).filter((path) => outputs[path].entryPoint?.startsWith('components/'))
  const names = starts.map((path) => outputs[path].entryPoint)
  for (const name of [...way, ...after])
    if (!names.includes(name)) throw new Error(`${name} is no entry point`)
  const reached = starts.map((path) => importsOf(outputs, path))
  // Sets of entry points are bits of one number each: they are compared some hundred thousand times.
  const those = (isMeant) =>
    starts.reduce((bits, _, at) => (isMeant(at) ? bits | (1n << BigInt(at)) : bits), 0n)
  const visits = starts.map((_, at) => ({ of: 1n << BigInt(at), weight: 1 }))
  for (const step of way.keys()) {
    const passed = [...way.slice(0, step + 1), ...after]
    visits.push({ of: those((at) => passed.includes(names[at])), weight: STEP })
  }
  const counts = new Map()
  const countOf = (users) => {
    if (!counts.has(users))
      counts.set(
        users,
        visits.reduce((sum, { of, weight }) => (of & users ? sum + weight : sum), 0),
      )
    return counts.get(users)
  }
  const shared = Object.entries(outputs).flatMap(([path, { entryPoint, inputs }]) => {
    const files = Object.keys(inputs).filter((file) => !file.includes(':') && !taken.includes(file))
    if (entryPoint || files.length === 0) return []
    const bytes = files.reduce((sum, file) => sum + inputs[file].bytesInOutput, 0)
    const users = those((at) => reached[at].has(path))
    return [{ paths: [path], files, bytes, users, needs: importsOf(outputs, path) }]
  })
  return { starts, everyone: those(() => true), countOf, shared }
}

/** All files that come with one. */
function importsOf(outputs, path, found = new Set()) {
  for (const { kind, path: next } of outputs[path].imports) {
    if (kind !== 'import-statement' || found.has(next)) continue
    found.add(next)
    importsOf(outputs, next, found)
  }
  return found
}

/** The groups with two of them as one. A screen that gets that gets what it needs, too. */
function withTogether(groups, one, other) {
  const whole = {
    paths: [...one.paths, ...other.paths],
    files: [...one.files, ...other.files],
    bytes: one.bytes + other.bytes,
    users: one.users | other.users,
    needs: one.needs.union(other.needs),
  }
  const others = groups.filter((group) => group !== one && group !== other)
  return [
    whole,
    ...others.map((group) =>
      group.paths.some((path) => whole.needs.has(path))
        ? { ...group, users: group.users | whole.users }
        : group,
    ),
  ]
}
