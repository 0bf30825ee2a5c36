import { useState } from 'react'
import { copyText } from '../lib/browser/clipboard.ts'
import { useHydrated } from '../lib/browser/hydrated.ts'
import { Icon } from './Icon.tsx'
import './copy.css'

type Props = {
  text: string
  label: string
  /** Tells it from others of its kind on the page. */
  of?: string
  done: string
  failed: string
}

/** Copies a text. It has its place from the start and is seen once it works. */
export function CopyButton({ text, label, of, done, failed }: Props) {
  const hydrated = useHydrated()
  const [said, setSaid] = useState('')

  async function copy(): Promise<void> {
    setSaid((await copyText(text)) ? done : failed)
  }

  return (
    <>
      <button type="button" className="chip copy" data-wait={!hydrated || undefined} onClick={copy}>
        <Icon name="copy" />
        {said || label}
        {of ? <span className="vh"> {of}</span> : null}
      </button>
      <span className="vh" role="status">
        {said}
      </span>
    </>
  )
}
