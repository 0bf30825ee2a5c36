import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { isPoor, watchConnection } from '../../lib/net/connection.ts'
import type { Lang } from '../../lib/page-data.ts'
import { LANGUAGES } from '../../lib/text/languages.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { Ornament } from '../../parts/message/Ornament.tsx'
import { paths } from '../../paths.ts'
import { keepOpen, Sheet } from '../../ui/Sheet.tsx'
import type { Watch } from './watch.ts'
import './kiosk.css'

/** How long each picture is shown, milliseconds. */
const SHOWN = 7000

/** A dish that a resting tablet shows. */
export type RestingDish = { id: number; name: string; image: string }

export type KioskProps = {
  watch: Watch
  /** The page tells an order: nothing is lost when it goes. */
  isOrdered: () => boolean
  /** Address where the next guest begins. */
  rest: string
  lang: Lang
  langs: readonly Lang[]
  fallback: Lang
  venue: string | undefined
  dishes: readonly RestingDish[]
}

/** What lies over the pages of a tablet: the question whether the guest is still there, and the picture that waits for the next guest. */
export function Overlay(props: KioskProps) {
  const { phase, left } = useSyncExternalStore(props.watch.subscribe, props.watch.snapshot)
  if (phase === 'awake') return left > 0 ? <Stands left={left} /> : null
  return phase === 'asking' ? (
    <Question {...props} left={left} />
  ) : (
    <Rest {...props} isReady={phase === 'resting'} />
  )
}

/** How long the number of an order can be read. A touch begins anew. */
function Stands({ left }: { left: number }) {
  const t = useText()
  return (
    <p className="stands num" role="timer">
      {t('kiosk.stands', { count: left })}
    </p>
  )
}

/** A last chance to stay, with what happens otherwise (WCAG 2.2.1). Esc and a tap beside it stay, too. */
function Question({ watch, isOrdered, left }: KioskProps & { left: number }) {
  const t = useText()
  return (
    <Sheet labelledBy="still-here" onClose={watch.touch}>
      <div className="still-here">
        <h2 id="still-here">{t('kiosk.stillHere')}</h2>
        <p>{t(isOrdered() ? 'kiosk.closes' : 'kiosk.erases')}</p>
        <p className="count num" role="timer">
          {t('kiosk.left', { count: left })}
        </p>
        <button type="button" className="button" data-focus="" onClick={watch.touch}>
          {t('kiosk.here')}
        </button>
        <button type="button" className="button" data-quiet="" onClick={watch.leave}>
          {t('kiosk.done')}
        </button>
        <p className="vh" role="status">
          {left <= 10 ? t('kiosk.left', { count: left > 5 ? 10 : 5 }) : ''}
        </p>
      </div>
    </Sheet>
  )
}

/** The whole surface wakes it; languages and the pause lie over that. */
function Rest({ watch, rest, langs, venue, dishes, isReady }: KioskProps & { isReady: boolean }) {
  const t = useText()
  const langOf = useTextLanguage()
  const ref = useRef<HTMLDialogElement>(null)
  const poor = useSyncExternalStore(watchConnection, isPoor)
  const { at, moves, isStill, toggle } = useShow(dishes.length)
  const dish = dishes[at]

  // The top layer is outside of React.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const stop = new AbortController()
    dialog.showModal()
    const { signal } = stop
    keepOpen(dialog, signal)
    // Some browsers close it at Esc for a moment, in which touches would reach the page below.
    addEventListener('keydown', (event) => event.key === 'Escape' && event.preventDefault(), { signal })
    return () => {
      stop.abort()
      dialog.close()
    }
  }, [])

  return (
    <dialog className="veil" ref={ref} aria-labelledby="veil-name">
      <div className="photos" aria-hidden="true">
        {dishes.map(({ id, image }, index) => (
          <img key={id} src={image} alt="" data-shown={index === at || undefined} />
        ))}
      </div>
      <div className="text">
        <Ornament />
        <h1 id="veil-name">{poor ? t('kiosk.offlineTitle') : venue || t('app.name')}</h1>
        {poor ? (
          <p role="status">{t('kiosk.offline')}</p>
        ) : isReady ? (
          <>
            {dish ? (
              <p className="soft" lang={langOf(dish.name)}>
                {dish.name}
              </p>
            ) : null}
            <button type="button" className="button wake" onClick={watch.wake}>
              {t('kiosk.start')}
            </button>
            <nav aria-label={t('app.language')}>
              {langs.map((lang) => (
                <a
                  key={lang}
                  className="chip"
                  href={paths.inLang(rest, lang)}
                  lang={lang}
                  hrefLang={lang}
                  aria-current={lang === t.lang || undefined}
                  onClick={watch.wake}
                >
                  {LANGUAGES[lang]}
                </a>
              ))}
            </nav>
          </>
        ) : (
          <p role="status">{t('kiosk.clearing')}</p>
        )}
        {moves ? (
          <button type="button" className="link pause" onClick={toggle}>
            {t(isStill ? 'kiosk.play' : 'kiosk.pause')}
          </button>
        ) : null}
      </div>
    </dialog>
  )
}

/** Which of the pictures is shown. They change by themselves until a guest stops them, and never for guests who want no motion (AX-07). */
function useShow(count: number) {
  const [at, setAt] = useState(0)
  const [isStill, setStill] = useState(false)
  const [moves] = useState(() => count > 1 && !matchMedia('(prefers-reduced-motion: reduce)').matches)
  // A timer is outside of React.
  useEffect(() => {
    if (!moves || isStill) return
    const timer = setInterval(() => setAt((before) => (before + 1) % count), SHOWN)
    return () => clearInterval(timer)
  }, [moves, isStill, count])
  return { at, moves, isStill, toggle: () => setStill((before) => !before) }
}
