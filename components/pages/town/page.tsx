import { useState } from 'react'
import { named } from '../../lib/find/names.ts'
import { TOWN_LANE, useMutation } from '../../lib/mutations/use-mutation.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { TownPage, TownRef } from '../../lib/page-data.ts'
import { Form } from '../../lib/router/Form.tsx'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { NoAnswer } from '../../parts/message/NoAnswer.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import '../../parts/search/search-form.css'
import '../../ui/field.css'
import './town.css'

export const title: PageTitle<'town'> = (_, t) => t('head.town.title')

export const frame: PageFrame<'town'> = { heading: title, back: ({ back }) => back }

type Props = { data: TownPage }

/** The towns of the country; the one that was guessed is asked about first. */
export function Page({ data }: Props) {
  const t = useText()
  const { town: current } = useShell()
  const mutation = useMutation({ lane: TOWN_LANE })
  const [query, setQuery] = useState(data.query)
  const { detected, confirm, back } = data
  const towns = named(data.towns, ({ name }) => name, query)
  if (confirm) return <Confirm town={confirm} back={back} />
  if (data.towns.length === 0)
    return <NoAnswer title={t('venues.failed')} text={t('venues.failedText')} href={paths.town({ back })} />
  return (
    <div className="towns">
      {/* With scripts the list follows the typing; without them the text is sent. */}
      <Form role="search" className="find" action={paths.town()}>
        <input type="hidden" name="back" value={back} />
        <input
          type="search"
          name="q"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          maxLength={60}
          autoComplete="off"
          placeholder={t('town.search')}
          aria-label={t('town.search')}
          enterKeyHint="search"
        />
        <button type="submit" aria-label={t('town.search')}>
          <Icon name="search" />
        </button>
      </Form>
      <form method="post" action={actions.setTown()} onSubmit={mutation.submit}>
        <Hidden fields={{ back }} />
        {detected && detected.id !== current.id ? (
          <div className="card">
            <h2>{t('town.detected', { town: detected.name })}</h2>
            <Button name="town" value={String(detected.id)}>
              {t('town.yes')}
            </Button>
          </div>
        ) : null}
        <ul aria-label={t('town.choose')}>
          {towns.map((town) => (
            <li key={town.id}>
              <button
                type="submit"
                name="town"
                value={town.id}
                aria-current={town.id === current.id || undefined}
              >
                {town.name}
                {town.id === current.id ? <span className="soft">{t('town.current')}</span> : null}
              </button>
            </li>
          ))}
        </ul>
      </form>
      <p className="soft" role="status">
        {towns.length === 0 ? t('town.nothing', { query }) : ''}
      </p>
    </div>
  )
}

/** A guest with a cart is asked once: the venue of the cart stays where it is. */
function Confirm({ town, back }: { town: TownRef; back: string }) {
  const t = useText()
  const mutation = useMutation({ lane: TOWN_LANE })
  const { cart } = useShell()
  return (
    <form className="towns" method="post" action={actions.setTown()} onSubmit={mutation.submit}>
      <Hidden fields={{ back, keep: '1' }} />
      <div className="card">
        <h2>{t('town.confirm', { town: town.name })}</h2>
        <p>{t('town.cartStays', { venue: cart?.venueName ?? '' })}</p>
        <p className="choices">
          <Button name="town" value={String(town.id)}>
            {t('town.sure')}
          </Button>
          <Link className="button" data-quiet to={back}>
            {t('town.stay')}
          </Link>
        </p>
      </div>
    </form>
  )
}
