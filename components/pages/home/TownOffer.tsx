import { useId } from 'react'
import { TOWN_LANE, useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { Elsewhere } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import './town-offer.css'

type Props = {
  elsewhere: Elsewhere
  /** The guest has answered: not asked again in this session (LC-14). */
  onAnswer: () => void
}

/** The server notes that the guest was asked. */
const ASKED = { back: paths.home(), asked: '1' }

/** The restaurants of the chosen town are too far away: asks for another one. It floats, so nothing moves. */
export function TownOffer({ elsewhere: { town }, onAnswer }: Props) {
  const t = useText()
  const shell = useShell()
  const mutation = useMutation({ lane: TOWN_LANE })
  const id = useId()
  function stay() {
    onAnswer()
    void mutation.send(actions.setTown(), { ...ASKED, stay: '1' })
  }
  return (
    <section className="offer" aria-labelledby={id} aria-live="polite">
      <h2 id={id}>
        {town ? t('home.elsewhereIn', { town: town.name }) : t('home.elsewhere', { town: shell.town.name })}
      </h2>
      <form
        method="post"
        action={actions.setTown()}
        onSubmit={(event) => {
          onAnswer()
          void mutation.submit(event)
        }}
      >
        <Hidden fields={ASKED} />
        {town ? (
          <Button name="town" value={String(town.id)}>
            {t('home.elsewhereYes', { town: town.name })}
          </Button>
        ) : null}
        <Link
          className="button"
          data-quiet={town ? true : undefined}
          to={paths.town({ back: paths.home() })}
          onClick={stay}
        >
          {t('home.changeTown')}
        </Link>
        <button type="button" className="link" onClick={stay}>
          {t('home.elsewhereNo', { town: shell.town.name })}
        </button>
      </form>
    </section>
  )
}
