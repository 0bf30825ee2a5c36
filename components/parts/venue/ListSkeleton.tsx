import { usePending } from '../../lib/page/navigation.ts'
import { useWay } from '../../lib/router/use-navigation.ts'
import './list-skeleton.css'

/** The same page with another search is on its way, and takes its time. */
export function useRefining(path: string): boolean {
  const late = usePending()
  const { coming } = useWay()
  return late && coming?.pathname === path
}

type Props = { className: string; count: number }

/** Boxes of the size of what comes. `main` is busy meanwhile, so nothing is said here. */
export function ListSkeleton({ className, count }: Props) {
  return (
    <ul className={className} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: boxes that never change places
        <li key={index} className="bone" />
      ))}
    </ul>
  )
}
