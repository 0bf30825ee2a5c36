import { type ChangeEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { FieldError } from '../../lib/page-data.ts'
import { errorText } from '../../lib/text/errors.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { shrunk } from './shrink.ts'
import { upload } from './upload.ts'

export type OwnPhoto = {
  /** Its field. */
  file: RefObject<HTMLInputElement | null>
  /** The name of the file that is chosen and not sent. */
  name: string | undefined
  /** How much of it has been sent, from 0 to 1. */
  sent: number | undefined
  failure: string | undefined
  /** The new picture, null once it is taken away: the page is not left for it, as more may be typed there. */
  shown: string | null | undefined
  onChoose: (event: ChangeEvent<HTMLInputElement>) => void
  onRemoved: () => void
  /**
   * Whether it has arrived. Where it has not, the guest is told at the field, and one that is refused is chosen no more:
   * the rest of the form can be saved without it. `null`: nobody is signed in any more.
   */
  send: () => Promise<boolean | null>
}

/**
 * A photo is made small before it is sent, and how far it is can be told; one that this browser can't read is sent as it
 * is, and the server says what it is.
 */
export function usePhoto(): OwnPhoto {
  const t = useText()
  const file = useRef<HTMLInputElement>(null)
  const [sent, setSent] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const [name, setName] = useState<string>()
  const [shown, setShown] = useState<string | null>()

  // What was chosen before the scripts came stands in the field alone.
  useEffect(() => setName(file.current?.files?.[0]?.name), [])

  async function send(): Promise<boolean | null> {
    const photo = file.current?.files?.[0]
    const form = file.current?.form
    if (!photo || !file.current || !form) return false
    setSent(0)
    const small = await shrunk(photo)
    if (small) file.current.files = small
    const outcome = await upload(form, setSent)
    setSent(undefined)
    if (!outcome) return null
    const [first] = 'taken' in outcome ? [] : outcome.errors
    if (first?.code !== 'network') {
      form.reset()
      setName(undefined)
    }
    if ('taken' in outcome) {
      setShown(`${actions.setAvatar()}?${Date.now()}`)
      return true
    }
    setFailure(first ? photoText(t, first) : '')
    file.current?.focus()
    return false
  }

  return {
    file,
    name,
    sent,
    failure,
    shown,
    onChoose({ target }) {
      setName(target.files?.[0]?.name)
      setFailure('')
    },
    onRemoved: () => setShown(null),
    send,
  }
}

/** What is wrong with a photo. The common words for too often speak of the payment of a bill. */
export function photoText(t: Text, error: FieldError): string {
  return error.code === 'often'
    ? t('profileForm.photoOften', { count: Number(error.values.count) })
    : errorText(t, error)
}
