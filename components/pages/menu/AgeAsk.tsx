import { useContext, useEffect, useState } from 'react'
import { useNews } from '../../lib/mutations/use-mutation.ts'
import { load as leave } from '../../lib/net/reload.ts'
import { PagesContext } from '../../lib/page/pages.ts'
import { paths } from '../../paths.ts'
import { OverlaysContext } from '../overlays.ts'

type Props = { back: string }

/** Shows the question of age over the menu when an add was refused for it; its code comes with the first such add. */
export function AgeAsk({ back }: Props) {
  const { age } = useContext(PagesContext)
  const { load } = useContext(OverlaysContext)
  const { failure, unreported } = useNews()
  const [, setReady] = useState(false)
  const asked = [failure, ...unreported].some((one) => one?.errors[0]?.code === 'age')
  // The code comes over the network. Without it the page of its own asks.
  useEffect(() => {
    if (!asked) return
    load?.('age').then(
      () => setReady(true),
      () => leave(paths.age({ back })),
    )
  }, [asked, load, back])
  return asked && age ? <age.Page data={{ back }} /> : null
}
