/** The service worker of these pages, for times without a network and for notifications. */
export const registerWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register('/worker.js', { scope: '/', updateViaCache: 'none' })
