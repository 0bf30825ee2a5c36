import { useMutation } from '../lib/cart.tsx'
import type { TownPage } from '../lib/page-data.ts'
import { useShell } from '../lib/shell.ts'
import { useText } from '../lib/text.tsx'
import { actions } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Hidden } from '../ui/Hidden.tsx'

type Props = { data: TownPage }

/** The towns of the country; the one that was guessed is asked about first. */
export function TownScreen({ data }: Props) {
  const t = useText()
  const { town: current } = useShell()
  const mutation = useMutation()
  const { detected } = data
  return (
    <form className="towns" method="post" action={actions.setTown()} onSubmit={mutation.submit}>
      <Hidden fields={{ back: data.back }} />
      {detected && detected.id !== current.id ? (
        <div className="card">
          <h2>{t('town.detected', { town: detected.name })}</h2>
          <Button name="town" value={String(detected.id)}>
            {t('town.yes')}
          </Button>
        </div>
      ) : null}
      <ul aria-label={t('town.choose')}>
        {data.towns.map((town) => (
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
  )
}
