/** What a service worker has that a page has not; the types of the DOM leave it out. */

type Waits = Event & { waitUntil: (work: Promise<unknown>) => void }
export type Fetches = Waits & {
  readonly request: Request
  readonly preloadResponse?: Promise<Response | undefined>
  respondWith: (answer: Promise<Response>) => void
}
export type Pushes = Waits & { readonly data: { json: () => unknown } | null }
export type Clicks = Waits & { readonly notification: Notification }
type Tells = Waits & { readonly data: unknown }

type Client = {
  readonly url: string
  focus: () => Promise<Client>
  navigate: (url: string) => Promise<unknown>
}

type Scope = {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    matchAll: (options: { type: 'window'; includeUncontrolled?: boolean }) => Promise<Client[]>
    openWindow: (url: string) => Promise<unknown>
  }
  skipWaiting: () => Promise<void>
  addEventListener: {
    (type: 'install' | 'activate', listener: (event: Waits) => void): void
    (type: 'fetch', listener: (event: Fetches) => void): void
    (type: 'push', listener: (event: Pushes) => void): void
    (type: 'notificationclick', listener: (event: Clicks) => void): void
    (type: 'message', listener: (event: Tells) => void): void
  }
}

export const scope = globalThis as unknown as Scope
