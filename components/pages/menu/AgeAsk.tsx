import { useContext, useEffect, useState } from 'react'
import { useCart } from '../../lib/cart/cart.tsx'
import { ScreensContext } from '../../lib/page/screens.tsx'
import { paths } from '../../paths.ts'

type Props = { back: string }

/** Shows the question of age over the menu when an add was refused for it; its code comes with the first such add. */
export function AgeAsk({ back }: Props) {
  const screens = useContext(ScreensContext)
  const { failure, untold } = useCart()
  const [, setReady] = useState(false)
  const asked = [failure, ...untold].some((one) => one?.errors[0]?.code === 'age')
  // The code comes over the network. Without it the page of its own asks.
  useEffect(() => {
    if (!asked) return
    screens.load?.('age').then(
      () => setReady(true),
      () => location.assign(paths.age({ back })),
    )
  }, [asked, screens, back])
  return asked && screens.age ? <screens.age data={{ back }} /> : null
}
