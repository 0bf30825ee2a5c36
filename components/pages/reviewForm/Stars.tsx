import { useState } from 'react'
import { useText } from '../../lib/text/text.tsx'
import { Icon } from '../../ui/Icon.tsx'
import '../../parts/grade/grade.css'

const STARS = [1, 2, 3, 4, 5]

type Props = { chosen: string; wrong: boolean }

/** One to five, as a grade has them. */
export function Stars({ chosen, wrong }: Props) {
  const t = useText()
  const [isChosen, setChosen] = useState(false)
  // A star that is chosen can't be taken back.
  const ungraded = wrong && !isChosen
  return (
    <>
      <fieldset className="stars" aria-describedby={ungraded ? 'ungraded' : undefined}>
        <legend>{t('reviewForm.rating')}</legend>
        {STARS.map((count) => (
          <label key={count}>
            <input
              type="radio"
              name="rating"
              value={count}
              defaultChecked={chosen === String(count)}
              aria-invalid={ungraded || undefined}
              // biome-ignore lint/a11y/noAutofocus: the form was refused for it
              autoFocus={wrong && count === 1}
              onChange={() => setChosen(true)}
            />
            <Icon name="star" />
            <span className="vh">{t('grade.stars', { count })}</span>
          </label>
        ))}
      </fieldset>
      {ungraded ? (
        <p className="error" id="ungraded" role="alert">
          {t('grade.needed')}
        </p>
      ) : null}
    </>
  )
}
