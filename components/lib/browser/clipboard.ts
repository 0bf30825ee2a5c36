/** Copies a text. Old webviews have no clipboard for pages; a selected field can still be copied from. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    // Beside a modal dialog nothing can be selected.
    const host = document.querySelector('dialog[open]') ?? document.body
    host.append(field)
    field.select()
    const copied = document.execCommand('copy')
    field.remove()
    return copied
  }
}
