import {
  type ReactNode,
  startTransition,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import { App } from './App.tsx'
import { isHydrated, onHydrated } from './lib/page/hydration.ts'
import type { Navigation } from './lib/router/navigation.ts'
import { NavigationContext, WayContext } from './lib/router/use-navigation.ts'
import { wear } from './pages/loader.ts'

/** The app as a guest moves in it. */
export function Browser({ navigation }: { navigation: Navigation }): ReactNode {
  const [{ location, action, data, failed, coming, reloading, stays }, show] = useState(navigation.now)

  // Not before: what is shown until then would be laid out anew.
  const { route } = data.page
  useInsertionEffect(() => wear(route), [route])

  // Something may have come between the render and this.
  useLayoutEffect(() => {
    // What is not hydrated yet React would hydrate for it, and begin the whole page anew with each part: on a slow phone a
    // dish among 500 opened after six seconds.
    const follow = () => {
      if (isHydrated()) startTransition(() => show(navigation.now()))
    }
    follow()
    const stops = [navigation.subscribe(follow), onHydrated(follow)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [navigation])

  const way = useMemo(() => ({ coming, reloading, stays }), [coming, reloading, stays])
  return (
    <NavigationContext value={navigation}>
      <WayContext value={way}>
        <App data={data} location={location} action={action} failed={failed} />
      </WayContext>
    </NavigationContext>
  )
}
