/** Sends the form of a picture and tells how much of it has left: `fetch` can't (PR-11). */

import type { FieldError, MutationAnswer } from '../../lib/page-data.ts'

/** The server reads no more, either. */
const MOST_MEGABYTES = 20
/** Milliseconds without a sign of it. */
const STILL = 30_000

/** `taken`: it is the guest's picture now; null: the server wants the whole form, such as to sign in again. */
export type Upload = { taken: true } | { errors: FieldError[] } | null

export function upload(form: HTMLFormElement, onPart: (part: number) => void): Promise<Upload> {
  const body = new FormData(form)
  for (const file of body.values()) {
    if (file instanceof File && file.size > MOST_MEGABYTES << 20) return Promise.resolve(heavy())
  }
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', form.action)
    request.setRequestHeader('Accept', 'application/json')
    request.setRequestHeader('X-Requested-With', 'dastarkhan')
    // However long it takes in all, a line on which nothing moves is dead.
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => request.abort(), STILL)
    }
    wait()
    request.upload.onprogress = ({ loaded, total }) => {
      wait()
      onPart(total > 0 ? loaded / total : 0)
    }
    request.onload = () => resolve(read(request))
    request.onerror = () => resolve(failed('network'))
    request.onabort = request.onerror
    request.onloadend = () => clearTimeout(timer)
    request.send(body)
  })
}

function read({ status, responseText }: XMLHttpRequest): Upload {
  if (status === 401) return null
  if (status === 413) return heavy()
  try {
    const { redirect, flash }: MutationAnswer = JSON.parse(responseText)
    if (status === 200 && redirect) return { taken: true }
    if (flash && flash.errors.length > 0) return { errors: flash.errors }
  } catch {
    // Not the product's own answer.
  }
  return failed('notDone')
}

const heavy = () => failed('pictureHeavy', { count: MOST_MEGABYTES })

function failed(code: FieldError['code'], values: FieldError['values'] = {}): Upload {
  return { errors: [{ field: 'avatar', code, values }] }
}
