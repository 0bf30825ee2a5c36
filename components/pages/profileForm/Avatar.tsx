import { type FormEvent, useId } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { alongWith, Button } from '../../ui/Button.tsx'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import type { OwnPhoto } from './use-photo.ts'
import '../../ui/gauge.css'

/** The id of the form with all else that the guest tells. */
export const ABOUT_ME = 'about-me'

type Props = { avatar: string | null; error: string | undefined; photo: OwnPhoto }

/**
 * The picture: from the gallery or the camera, as the phone offers it. Without scripts its field is one of the whole form,
 * so that it goes along when that is saved, and what is typed stays when only the picture is.
 */
export function Avatar({ avatar, error: before, photo }: Props) {
  const t = useText()
  const id = useId()
  const whole = useHydrated() ? undefined : ABOUT_ME
  const removal = useMutation({ beside: 'all' })
  const { file, name, sent, shown } = photo
  const busy = sent !== undefined
  const picture = shown === undefined ? avatar : shown
  const [refusal] = removal.errors
  const error = busy ? undefined : refusal ? errorText(t, refusal) : (photo.failure ?? before)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    // The server says that none is chosen.
    if (!name) return
    event.preventDefault()
    const form = event.currentTarget
    // The server wants the whole form, to sign in again.
    if ((await photo.send()) === null) form.submit()
  }

  async function remove(event: FormEvent<HTMLFormElement>): Promise<void> {
    if (!(await removal.submit(event))) return
    photo.onRemoved()
    // Its button is gone.
    file.current?.focus()
  }

  return (
    <section className="photo" aria-labelledby={id}>
      <h2 id={id}>{t('profileForm.photo')}</h2>
      {picture ? <img src={picture} width={96} height={96} alt="" /> : null}
      <form method="post" action={actions.setAvatar()} encType="multipart/form-data" onSubmit={submit}>
        <Hidden fields={{ back: paths.profileForm() }} />
        <div className="field">
          <span id={`${id}h`} className="soft">
            {t('profileForm.photoHint')}
          </span>
          {/* The browser's own button speaks the browser's language: it lies over this one, unseen. */}
          <label className="button" data-quiet="">
            <span>{t('profileForm.photoChoose')}</span>
            <input
              ref={file}
              form={whole}
              type="file"
              name="avatar"
              accept="image/*"
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? `${id}h ${id}e` : `${id}h`}
              onChange={photo.onChoose}
            />
          </label>
          {name ? <span className="soft">{name}</span> : null}
          <ErrorLine id={`${id}e`}>{error}</ErrorLine>
        </div>
        {busy ? <progress className="gauge" value={sent} aria-label={t('profileForm.photoSending')} /> : null}
        <Button quiet busy={busy} along={alongWith(whole, actions.setAvatar())}>
          {t(busy ? 'profileForm.photoSending' : 'profileForm.photoSave')}
        </Button>
        <p className="vh" role="status">
          {busy
            ? t('profileForm.photoSending')
            : shown
              ? t('profileForm.photoSaved')
              : shown === null
                ? t('profileForm.photoRemoved')
                : null}
        </p>
      </form>
      {picture ? (
        <form method="post" action={actions.removeAvatar()} onSubmit={remove}>
          <Hidden fields={{ back: paths.profileForm() }} />
          <Button quiet busy={removal.status === 'sending'} along={alongWith(whole, actions.removeAvatar())}>
            {t('profileForm.photoRemove')}
          </Button>
        </form>
      ) : null}
    </section>
  )
}
