import { type FormEvent, useEffect, useRef } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { ProfileFormPage } from '../../lib/page-data.ts'
import { errorOf } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { ABOUT_ME, Avatar } from './Avatar.tsx'
import { Birthday } from './Birthday.tsx'
import { photoText, usePhoto } from './use-photo.ts'
import './profileForm.css'

export const title: PageTitle<'profileForm'> = (_, t) => t('head.profileForm.title')

export const frame: PageFrame<'profileForm'> = {
  heading: title,
  back: () => paths.profile(),
  beside: () => FIELDS,
}

const FIELDS = ['name', 'birthday', 'gender'] as const
const GENDERS = ['female', 'male', ''] as const

type Props = { data: ProfileFormPage }

/** Name, birthday and gender. What was typed stays if it fails. */
export function Page({ data }: Props) {
  const t = useText()
  const { flash } = useShell()
  const hydrated = useHydrated()
  const mutation = useMutation({ beside: FIELDS, untilPage: true })
  const form = useRef<HTMLFormElement>(null)
  const photo = usePhoto()
  const errors = mutation.status === 'idle' ? (flash?.errors ?? []) : mutation.errors
  const typed = (field: string) => flash?.values[field]?.[0]
  const wrong = FIELDS.find((field) => errorOf(t, errors, field))
  const gender = typed('gender') ?? data.gender ?? ''
  const refused = errors.find(({ field }) => field === 'avatar')
  const genderError = errorOf(t, errors, 'gender')

  // What is wrong is found by those who do not see it, too.
  useEffect(() => {
    if (mutation.errors.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [mutation.errors])

  /** A photo that is chosen goes first: where it is refused, the guest is still here to choose another. */
  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    if (!photo.name) {
      void mutation.submit(event)
      return
    }
    event.preventDefault()
    // That nobody is signed in any more is told by the form itself, with all that is typed in it.
    if ((await photo.send()) === false || !form.current) return
    // It may have been typed while the photo was on its way.
    const fields = [...new FormData(form.current)].filter(isText)
    void mutation.send(actions.saveProfile(), Object.fromEntries(fields))
  }

  return (
    <div className="about-me">
      {/* Enter in a field saves; it presses the first button of the form. */}
      {hydrated ? null : <button type="submit" form={ABOUT_ME} className="vh" tabIndex={-1} aria-hidden />}
      {flash?.kind === 'photoSaved' || flash?.kind === 'photoRemoved' ? (
        <p className="note" data-info role="status">
          {t(`profileForm.${flash.kind}`)}
        </p>
      ) : null}
      <Avatar avatar={data.avatar} error={refused && photoText(t, refused)} photo={photo} />
      <form
        id={ABOUT_ME}
        method="post"
        action={actions.saveProfile()}
        encType="multipart/form-data"
        onSubmit={save}
        ref={form}
      >
        <Hidden fields={{ back: paths.profileForm() }} />
        <Field
          name="name"
          label={t('profileForm.name')}
          hint={t('profileForm.nameHint')}
          value={typed('name') ?? data.name}
          error={errorOf(t, errors, 'name')}
          autoFocus={wrong === 'name'}
          maxLength={100}
          autoComplete="given-name"
        />
        <Birthday
          value={typed('birthday') ?? data.birthday}
          error={errorOf(t, errors, 'birthday')}
          wrong={wrong === 'birthday'}
        />
        <fieldset aria-describedby={genderError ? 'gender-error' : undefined}>
          <legend>{t('profileForm.gender')}</legend>
          {GENDERS.map((one) => (
            <label key={one} className="choice">
              <input type="radio" name="gender" value={one} defaultChecked={one === gender} />
              <span>{t(`profileForm.${one || 'unspecified'}`)}</span>
            </label>
          ))}
          <ErrorLine id="gender-error">{genderError}</ErrorLine>
        </fieldset>
        <Button busy={mutation.status === 'sending' || photo.sent !== undefined}>
          {t('profileForm.save')}
        </Button>
      </form>
    </div>
  )
}

const isText = (field: [string, FormDataEntryValue]): field is [string, string] =>
  typeof field[1] === 'string'
