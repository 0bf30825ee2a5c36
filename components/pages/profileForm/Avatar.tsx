import { type FormEvent, useId, useRef, useState } from 'react'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { shrunk } from './shrink.ts'

type Props = { avatar: string | null; error: string | undefined }

/**
 * The picture: from the gallery or the camera, as the phone offers it. Both forms are whole loads. With scripts a photo is
 * made small before it is sent; one that this browser can't read is sent as it is, and the server says what it is.
 */
export function Avatar({ avatar, error }: Props) {
  const t = useText()
  const id = useId()
  const file = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    const form = event.currentTarget
    const chosen = file.current?.files?.[0]
    if (!chosen || !file.current) return
    event.preventDefault()
    setBusy(true)
    const small = await shrunk(chosen)
    if (small) file.current.files = small
    form.submit()
  }

  return (
    <section className="photo" aria-labelledby={id}>
      <h2 id={id}>{t('profileForm.photo')}</h2>
      {avatar ? <img src={avatar} width={96} height={96} alt="" /> : null}
      <form method="post" action={actions.setAvatar()} encType="multipart/form-data" onSubmit={submit}>
        <Hidden fields={{ back: paths.profileForm() }} />
        <div className="field">
          <span id={`${id}h`} className="soft">
            {t('profileForm.photoHint')}
          </span>
          <input
            ref={file}
            type="file"
            name="avatar"
            accept="image/*"
            aria-labelledby={id}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}h ${id}e` : `${id}h`}
          />
          {error ? (
            <span id={`${id}e`} className="error">
              {error}
            </span>
          ) : null}
        </div>
        <Button quiet busy={busy}>
          {t('profileForm.photoSave')}
        </Button>
      </form>
      {avatar ? (
        <form method="post" action={actions.removeAvatar()}>
          <Hidden fields={{ back: paths.profileForm() }} />
          <Button quiet>{t('profileForm.photoRemove')}</Button>
        </form>
      ) : null}
    </section>
  )
}
