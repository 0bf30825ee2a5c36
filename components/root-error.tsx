import { Failure } from './parts/section/Failure.tsx'

/** Shown when what stands around every page threw, or its code could not be fetched. */
export function RootError() {
  return (
    <main>
      <Failure />
    </main>
  )
}
