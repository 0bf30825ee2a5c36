import { type FormEvent, useId, useRef, useState } from 'react'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { shrunk } from './shrink.ts'
import { upload } from './upload.ts'
import '../../ui/gauge.css'

type Props = { avatar: string | null; error: string | undefined }

/**
 * The picture: from the gallery or the camera, as the phone offers it. With scripts a photo is made small before it is
 * sent, and the bar says how far it is; one that this browser can't read is sent as it is, and the server says what it is.
 */
export function Avatar({ avatar, error: before }: Props) {
  const t = useText()
  const id = useId()
  const file = useRef<HTMLInputElement>(null)
  /** How much of it has been sent, from 0 to 1. */
  const [sent, setSent] = useState<number>()
  const [failure, setFailure] = useState<string>()
  /** The name of the file that is chosen. */
  const [chosen, setChosen] = useState<string>()
  /** The new picture: the page is not left for it, as more may be typed there. */
  const [shown, setShown] = useState<string | null>()
  const removal = useMutation({ beside: 'all' })
  const busy = sent !== undefined
  const picture = shown === undefined ? avatar : shown
  const [refusal] = removal.errors
  const error = busy ? undefined : refusal ? errorText(t, refusal) : (failure ?? before)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    const form = event.currentTarget
    const photo = file.current?.files?.[0]
    if (!photo || !file.current) return
    event.preventDefault()
    setSent(0)
    const small = await shrunk(photo)
    if (small) file.current.files = small
    const outcome = await upload(form, setSent)
    if (!outcome) form.submit()
    else if ('taken' in outcome) {
      form.reset()
      setChosen(undefined)
      setShown(`${actions.setAvatar()}?${Date.now()}`)
      setSent(undefined)
    } else {
      const [first] = outcome.errors
      setFailure(first ? errorText(t, first) : '')
      setSent(undefined)
      file.current?.focus()
    }
  }

  async function remove(event: FormEvent<HTMLFormElement>): Promise<void> {
    if (!(await removal.submit(event))) return
    setShown(null)
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
              type="file"
              name="avatar"
              accept="image/*"
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? `${id}h ${id}e` : `${id}h`}
              onChange={({ target }) => {
                setChosen(target.files?.[0]?.name)
                setFailure('')
              }}
            />
          </label>
          {chosen ? <span className="soft">{chosen}</span> : null}
          <ErrorLine id={`${id}e`}>{error}</ErrorLine>
        </div>
        {busy ? <progress className="gauge" value={sent} aria-label={t('profileForm.photoSending')} /> : null}
        <Button quiet busy={busy}>
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
          <Button quiet busy={removal.status === 'sending'}>
            {t('profileForm.photoRemove')}
          </Button>
        </form>
      ) : null}
    </section>
  )
}
