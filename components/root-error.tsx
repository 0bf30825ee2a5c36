import { Failure } from './parts/Failure.tsx'

/** Shown when what stands around every screen threw, or its code could not be fetched. */
export function RootError() {
  return (
    <main>
      <Failure />
    </main>
  )
}
