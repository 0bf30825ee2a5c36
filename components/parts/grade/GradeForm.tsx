import { useEffect, useRef, useState } from 'react'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import { errorOf } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import './grade.css'

type Props = {
  /** What the form is about, in words. */
  title: string
  action: string
  back: string
  /** What may stand out, each with its words; without them what does in a restaurant. */
  tags?: readonly (readonly [tag: string, words: string])[]
}

const STARS = [1, 2, 3, 4, 5]
const TAGS = ['tasty', 'fast', 'polite', 'cold', 'slow', 'wrong'] as const
const LONGEST = 500

/** How was it? Asked once; not to answer is an answer, too (OR-12). */
export function GradeForm({ title, action, back, tags }: Props) {
  const t = useText()
  const { flash } = useShell()
  const mutation = useMutation({ beside: 'all', untilPage: true })
  const errors = mutation.errors.length > 0 ? mutation.errors : (flash?.errors ?? [])
  const typed = flash?.values ?? {}
  const failed = errorOf(t, errors, 'form')
  const [isGraded, setGraded] = useState(false)
  // A star that is chosen can't be taken back.
  const ungraded = !isGraded && errors.some(({ field }) => field === 'grade')
  const busy = mutation.status === 'sending'
  const stars = useRef<HTMLFieldSetElement>(null)

  // The stars stand above the button, often out of sight.
  useEffect(() => {
    if (mutation.errors.some(({ field }) => field === 'grade')) stars.current?.querySelector('input')?.focus()
  }, [mutation.errors])

  return (
    <section className="card grade" aria-labelledby="grade">
      <h2 id="grade">{title}</h2>
      <form method="post" action={action} onSubmit={mutation.submit}>
        <Hidden fields={{ back }} />
        <fieldset className="stars" ref={stars} aria-describedby={ungraded ? 'ungraded' : undefined}>
          <legend className="vh">{t('grade.label')}</legend>
          {STARS.map((count) => (
            <label key={count}>
              <input
                type="radio"
                name="grade"
                value={count}
                defaultChecked={typed.grade?.[0] === String(count)}
                // biome-ignore lint/a11y/noAutofocus: the form was refused for it
                autoFocus={ungraded && count === 1}
                aria-invalid={ungraded || undefined}
                onChange={() => setGraded(true)}
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
        <fieldset className="praise">
          <legend>{t('grade.tags')}</legend>
          <div>
            {(tags ?? TAGS.map((tag) => [tag, t(`grade.tag.${tag}`)] as const)).map(([tag, words]) => (
              <label key={tag} className="chip">
                <input
                  type="checkbox"
                  name="tag"
                  value={tag}
                  defaultChecked={typed.tag?.includes(tag) ?? false}
                />
                {words}
              </label>
            ))}
          </div>
        </fieldset>
        <Field
          name="comment"
          label={t('grade.comment')}
          long
          maxLength={LONGEST}
          value={typed.comment?.[0] ?? ''}
          error={errorOf(t, errors, 'comment')}
        />
        {failed ? (
          <p className="note" data-bad role="alert">
            {failed}
          </p>
        ) : null}
        <Button busy={busy}>{t('grade.send')}</Button>
        <Button quiet busy={busy} name="skip" value="1">
          {t('grade.skip')}
        </Button>
      </form>
    </section>
  )
}
