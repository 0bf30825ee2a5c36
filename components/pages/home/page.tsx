import { useContext, useState } from 'react'
import { useCart } from '../../lib/cart/cart.tsx'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { Elsewhere, HomePage, Rail, RailKind, Shortcut } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { Footer } from '../../parts/footer/Footer.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { EmptyPlace } from '../../parts/message/EmptyPlace.tsx'
import { Lead } from '../../parts/message/Lead.tsx'
import { NoAnswer } from '../../parts/message/NoAnswer.tsx'
import { Ornament } from '../../parts/message/Ornament.tsx'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { Section } from '../../parts/section/Section.tsx'
import { OtherServices } from '../../parts/venue/OtherServices.tsx'
import { ServiceSwitch } from '../../parts/venue/ServiceSwitch.tsx'
import { paths } from '../../paths.ts'
import { OverlaysContext } from '../overlays.ts'
import { RailSection } from './RailSection.tsx'
import { Shortcuts } from './Shortcuts.tsx'
import { TownOffer } from './TownOffer.tsx'
import '../../frame/nav.css'
import './home.css'

export const title: PageTitle<'home'> = ({ front }, t) => front?.title ?? t('head.home.title')

export const frame: PageFrame<'home'> = {
  back: null,
  bar: true,
  order: true,
  town: true,
  address: ({ address }) => address,
}

type Props = { data: HomePage }

/** What a rail may be about besides where and how good. */
const KINDS: readonly RailKind[] = ['bakery', 'readyMeals', 'semiFinished', 'grocery']

/** The front: rails of restaurants in a fixed order. A rail with nothing is not there, a failed one says so. */
export function Page({ data }: Props) {
  const t = useText()
  const shell = useShell()
  const [elsewhere, setElsewhere] = useState<Elsewhere | null>(null)
  const empty = data.rails.length === 0
  const elsewise = data.others.length > 0
  const parts = inOrder(data)
  return (
    <>
      <Ornament />
      <h1>{data.front?.title ?? t('home.title')}</h1>
      <Lead front={data.front} />
      {data.fridge === null ? null : (
        <Link className="strip" to={paths.fridge(data.fridge)}>
          {t('home.fridge')}
        </Link>
      )}
      <div className="tools">
        <SearchField action={paths.search()} />
        <ServiceSwitch services={shell.services} />
      </div>
      <Section name="again">
        <Again data={data} />
      </Section>
      <Kinds data={data} />
      {data.failed ? (
        <NoAnswer title={t('venues.failed')} text={t('venues.failedText')} href={paths.home()} />
      ) : empty ? (
        <Empty
          scene={<EmptyPlace />}
          title={elsewise ? t('venues.emptyService', { service: shell.service }) : t('home.empty')}
          text={elsewise ? t('venues.otherService') : t('home.emptyText')}
        >
          <OtherServices
            others={data.others}
            back={paths.home()}
            labelOf={(count) => t('venues.found', { count })}
          />
          <Link
            className="button"
            data-quiet={elsewise ? '' : undefined}
            to={paths.town({ back: paths.home() })}
          >
            {t('home.changeTown')}
          </Link>
        </Empty>
      ) : (
        parts.map((part, index) =>
          'kind' in part ? (
            <Section key={part.kind} name={part.kind} apart={index > 0}>
              <RailSection
                rail={part}
                first={index === 0}
                locate={data.locate}
                onNear={(found) => {
                  if (found.elsewhere) setElsewhere(found.elsewhere)
                }}
              />
            </Section>
          ) : (
            <Section key={part.brands[0]?.brand} name={`brands-${part.brands[0]?.brand}`}>
              <Shortcuts brands={part.brands} last={!parts.slice(index + 1).some((one) => 'brands' in one)} />
            </Section>
          ),
        )
      )}
      <Section name="footer">
        <Footer />
      </Section>
      {elsewhere ? <TownOffer elsewhere={elsewhere} onAnswer={() => setElsewhere(null)} /> : null}
    </>
  )
}

/** The last order, as long as nothing else is in the cart. */
function Again({ data: { repeat } }: Props) {
  const { count } = useCart()
  const { lastOrder } = useContext(OverlaysContext).modules
  return repeat && lastOrder && count === 0 ? <lastOrder.Overlay card={repeat} /> : null
}

/** How is cooked in the town, and what it has besides, at a glance. */
function Kinds({ data: { kitchens, rails } }: Props) {
  const t = useText()
  const kinds = rails.filter(
    ({ kind, failed, venues }) =>
      KINDS.includes(kind) && !failed && venues.length > 0 && !kitchens.some(({ code }) => code === kind),
  )
  if (kitchens.length + kinds.length === 0) return null
  return (
    <nav className="kinds" aria-label={t('home.kinds')}>
      {kitchens.map(({ code, name }) => (
        <Link key={code} className="chip" to={paths.venues({ kitchen: code })}>
          {name}
        </Link>
      ))}
      {kinds.map(({ kind, href }) => (
        <Link key={kind} className="chip" to={href}>
          {t(`rail.${kind}`)}
        </Link>
      ))}
    </nav>
  )
}

/** Rails and shortcuts by position (HM-01); shortcuts that follow each other stand together. */
function inOrder({ rails, shortcuts }: HomePage): (Rail | { brands: Shortcut[] })[] {
  const parts: (Rail | { brands: Shortcut[] })[] = []
  for (const one of [...rails, ...shortcuts].sort((a, b) => a.position - b.position)) {
    const last = parts.at(-1)
    if ('kind' in one) parts.push(one)
    else if (last && 'brands' in last) last.brands.push(one)
    else parts.push({ brands: [one] })
  }
  return parts
}
