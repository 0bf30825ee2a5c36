import { useState } from 'react'
import { useAlive } from '../lib/alive.ts'
import { Icon } from '../ui/Icon.tsx'

type Props = { text: string; label: string; done: string; failed: string }

/** Copies a text. It has its place from the start and is seen once it works. */
export function CopyButton({ text, label, done, failed }: Props) {
  const alive = useAlive()
  const [said, setSaid] = useState('')

  async function copy(): Promise<void> {
    setSaid((await write(text)) ? done : failed)
  }

  return (
    <>
      <button type="button" className="chip copy" data-wait={!alive || undefined} onClick={copy}>
        <Icon name="copy" />
        {said || label}
      </button>
      <span className="vh" role="status">
        {said}
      </span>
    </>
  )
}

/** Old webviews have no clipboard for pages; a selected field can still be copied from. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    const copied = document.execCommand('copy')
    field.remove()
    return copied
  }
}
