import { useContext, useEffect, useMemo, useRef, useState } from 'react'
import { replaceAddress } from '../../lib/browser/address.ts'
import { goBack } from '../../lib/browser/back.ts'
import { useLiveOpen } from '../../lib/live/live.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { about } from '../../lib/page/title.ts'
import type { Lang, MenuSearchPage, Product, Venue } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useNavigate } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { DishRow } from '../../parts/dish/DishRow.tsx'
import { useDishLinks } from '../../parts/dish/dish-links.ts'
import { Empty } from '../../parts/message/Empty.tsx'
import { NoAnswer } from '../../parts/message/NoAnswer.tsx'
import { OpenMenu } from '../../parts/message/OpenMenu.tsx'
import { Marked } from '../../parts/search/Marked.tsx'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { OpenLine } from '../../parts/venue/OpenLine.tsx'
import { paths } from '../../paths.ts'
import { OverlaysContext } from '../overlays.ts'
import { fetchFound, fetchMenu, lastMenuProducts, type Placed, resultsOf, withMarks } from './menu-finder.ts'
import '../../parts/search/results.css'
import './menuSearch.css'

export const title: PageTitle<'menuSearch'> = ({ venue }, t) => about(venue.name, t('head.menuSearch.title'))

export const frame: PageFrame<'menuSearch'> = {
  back: ({ venue }) => paths.menu(venue.id),
  bar: true,
  venue: ({ venue }) => venue,
}

type Props = { data: MenuSearchPage }

/** How many pictures are in the first view. */
const EAGER = 6

/** The menu of one venue by names and barcodes: in the browser's own copy of the menu, and beside it on the server. */
export function Page({ data }: Props) {
  const t = useText()
  useDishLinks()
  const { venue } = data
  const open = useLiveOpen(venue)
  const look = useMenuSearch(data, t.lang)
  const { query, results, answer } = look
  const navigate = useNavigate()
  /** Back to where the menu was left. */
  function leave(): void {
    const menu = paths.menu(venue.id)
    goBack({ root: () => navigate(menu), up: () => navigate(menu, { replace: true }) })
  }
  const isEmpty = results !== null && results.products.length === 0
  const { savedCart } = useContext(OverlaysContext).modules
  return (
    <>
      <div className="whose">
        <h1>{t('menuFind.title', { venue: venue.name })}</h1>
        <OpenLine state={open} />
      </div>
      {savedCart && data.saved ? <savedCart.Overlay saved={data.saved} venueId={venue.id} /> : null}
      <div className="tools">
        <SearchField
          action={paths.menuSearch(venue.id)}
          query={query}
          leave={paths.menu(venue.id)}
          inline
          onMap={null}
          placeholder={t('menuFind.placeholder')}
          prompt={t('menuFind.prompt')}
          suggests={false}
          focused={data.query === ''}
          onLeave={leave}
          onUpdate={look.ask}
          onSubmit={look.ask}
        />
      </div>
      {data.goods ? (
        // A page of its own: only its document may use the camera.
        <a className="button" data-quiet href={paths.barcodeScanner(venue.id)}>
          {t('barcode.scan')}
        </a>
      ) : null}
      <div className="said" role="status">
        {query === '' ? null : look.failed ? (
          <NoAnswer
            title={t('menuFind.failed')}
            text={t('menuFind.failedText')}
            href={paths.menuSearch(venue.id, { q: query })}
          />
        ) : results === null ? (
          <p className="soft">{t('app.loading')}</p>
        ) : isEmpty ? (
          <Empty
            scene={<OpenMenu />}
            title={t('menuFind.nothing', { query })}
            text={t('menuFind.nothingText')}
          >
            {results.nearest ? (
              <Link className="button" to={paths.menuSearch(venue.id, { q: results.nearest })}>
                {t('menuFind.nearest', { query: results.nearest })}
              </Link>
            ) : null}
            <Link
              className="button"
              data-quiet={results.nearest ? '' : undefined}
              // Everywhere with the service of this menu, not with the one chosen before.
              to={paths.search({ q: query, service: serviceOf(venue) })}
            >
              {t('menuFind.everywhere')}
            </Link>
          </Empty>
        ) : (
          // A live region says only what is new in it: as many as before are told too.
          <p key={query} className={results.shown ? 'note' : 'soft'} data-info>
            {results.shown
              ? t('menuFind.shown', { query, shown: results.shown })
              : t('menuFind.found', { count: results.products.length })}
            {results.shown ? (
              <>
                {' '}
                <Link
                  className="link"
                  to={paths.menuSearch(venue.id, { q: query, exact: 1 })}
                  preventScrollReset
                >
                  {t('menuFind.exactly', { query })}
                </Link>
              </>
            ) : null}
          </p>
        )}
      </div>
      <div key={query === '' ? 'none' : 'some'} className="results" data-late={results === null || undefined}>
        <Dishes
          products={(results ?? answer).products}
          data={data}
          query={query}
          marks={results?.shown ?? query}
        />
        {(query === '' || isEmpty) && data.popular.length > 0 ? (
          <section>
            <h2>{t('menuFind.popular')}</h2>
            <Dishes products={data.popular} data={data} query={query} marks="" />
          </section>
        ) : null}
        {query === '' ? (
          <Link className="button" data-quiet to={paths.menu(venue.id)}>
            {t('menuFind.toMenu')}
          </Link>
        ) : null}
      </div>
    </>
  )
}

/** How an order of this menu reaches the guest. */
const serviceOf = ({ id, siblings }: Venue) => siblings.find((sibling) => sibling.id === id)?.service

type DishesProps = { products: readonly Product[]; data: MenuSearchPage; query: string; marks: string }

function Dishes({ products, data, query, marks }: DishesProps) {
  const t = useText()
  if (products.length === 0) return null
  return (
    <>
      {marks === '' ? null : <h2 className="vh">{t('search.label')}</h2>}
      <ul className="dishes">
        {products.map((product, index) => (
          <DishRow
            key={product.id}
            product={product}
            venue={data.venue}
            photo
            eager={index < EAGER}
            back={paths.menuSearch(data.venue.id, { q: query })}
            name={<Marked text={product.name} query={marks} />}
          />
        ))}
      </ul>
    </>
  )
}

/** The text that is looked for and what there is for it, keyed by the text: a late answer has no place. */
function useMenuSearch(data: MenuSearchPage, lang: Lang) {
  // A guest who comes from the menu has it; it is fetched anew nevertheless.
  const [menu, setMenu] = useState<Placed[] | null>(() => lastMenuProducts(data.venue.id))
  const [state, setState] = useState({ given: data, query: data.query, answer: data, failed: data.failed })
  const pending = useRef<AbortController>(undefined)
  // Another page of the same address came by the router: it is the newest word.
  const fresh = { given: data, query: data.query, answer: data, failed: data.failed }
  const { query, answer, failed } = state.given === data ? state : fresh

  // The network is outside of React. The menu comes once, for all that will be typed.
  useEffect(() => {
    const request = new AbortController()
    void fetchMenu(data.venue.id, request.signal).then((products) => {
      if (!request.signal.aborted && products) setMenu(products)
    })
    return () => {
      request.abort()
      pending.current?.abort()
    }
  }, [data.venue.id])

  function ask(text: string): void {
    if (text === query) return
    pending.current?.abort()
    setState({ given: data, query: text, answer, failed: false })
    // The entry of the history stays the router's, only its query is another.
    replaceAddress(paths.menuSearch(data.venue.id, { q: text }))
    if (text === '') return
    const request = new AbortController()
    pending.current = request
    void fetchFound(data.venue.id, text, request.signal).then((found) => {
      if (request.signal.aborted) return
      setState((now) => (now.query === text ? { ...now, answer: found ?? now.answer, failed: !found } : now))
    })
  }

  // One list for all that is typed: what is looked through is folded once.
  const marked = useMemo(() => menu && withMarks(menu, data.meatless), [menu, data.meatless])
  const results = resultsOf(query, marked, answer, lang)
  return { query, answer, results, failed: failed && menu === null, ask }
}
