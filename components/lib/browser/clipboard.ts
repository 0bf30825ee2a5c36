import { host, isHosted } from './host-app.ts'

/** Copies a text. Old webviews have no clipboard for pages; a selected field can still be copied from. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    // Beside a modal dialog nothing can be selected.
    const place = document.querySelector('dialog[open]') ?? document.body
    place.append(field)
    field.select()
    const copied = document.execCommand('copy')
    field.remove()
    // A frame may not be let to: its host can.
    return copied || (isHosted() && ((await (await host())?.copy(text)) ?? false))
  }
}

/**
 * Gives an address on: by the phone's own sheet, else by the clipboard. Tells whether it was copied; null: the guest has
 * been asked by the phone.
 */
export async function shareLink(title: string, url: string): Promise<boolean | null> {
  if ('share' in navigator) {
    try {
      await navigator.share({ title, url })
      return null
    } catch (error) {
      // The guest has changed their mind. Any other trouble leaves the clipboard.
      if (error instanceof DOMException && error.name === 'AbortError') return null
    }
  }
  return copyText(url)
}
