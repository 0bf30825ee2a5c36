/** So many tests may fail by chance; when more do it is the product. */
const MOST_UNSTEADY = 5

/**
 * What failed is tried once more, each by itself: engines lose a press or a frame, and one test in thousands is no
 * result. It is said, and counted, as unsteady (`run.sh` names it at the end). `name` is what is said of one, `passes`
 * tries it, `count` says how many failed tests it stands for.
 */
export async function secondTry(failed, name, passes, count = () => 1) {
  if (failed.length === 0 || failed.length > MOST_UNSTEADY) return
  let steady = 0
  for (const one of failed) {
    const isSteady = await passes(one)
    console.log(`# second try: ${isSteady ? 'ok' : 'failed'} - ${name(one)}`)
    if (isSteady) steady += count(one)
  }
  console.log(`# unsteady ${steady}`)
  if (steady === failed.reduce((sum, one) => sum + count(one), 0)) process.exitCode = 0
}
