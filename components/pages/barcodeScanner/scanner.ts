/** Holds the camera, looks at its picture some nine times a second, and releases it while the page is hidden (BC-09). */

import type { CameraTrouble } from '../../lib/page-data.ts'
import { abilitiesOf, camerasOf, openCamera, release, wish } from './camera.ts'
import { createTwice, type Read } from './codes.ts'
import { createOwn, createReader, type Reader } from './reader.ts'

/** Milliseconds between two looks; a slow phone rests at least as long as it has looked. */
const INTERVAL = 110
/** The longer side of the picture that is looked at. */
const LARGEST = 800
/** A camera whose picture is black for this long from the start gives none, milliseconds. */
const BLACK = 3000
/** Of 255. */
const DARK = 12
/** The first picture must be there by then. */
const FIRST = 10_000

type Phase =
  /** It was not asked for yet. */
  | 'idle'
  | 'starting'
  | 'live'
  /** A code was read, or the page is out of sight: the camera is released, its last picture stays. */
  | 'paused'
  /** Another program has taken it. */
  | 'ended'

export type ScannerState = {
  phase: Phase
  /** Our own reader is on its way. */
  preparing: boolean
  /** Null: it has none. */
  torch: boolean | null
  zoom: boolean | null
  /** There are others. */
  others: boolean
}

export const NO_CAMERA: ScannerState = {
  phase: 'idle',
  preparing: false,
  torch: null,
  zoom: null,
  others: false,
}

type Heard = {
  state: (state: ScannerState) => void
  trouble: (trouble: CameraTrouble) => void
  read: (read: Read) => void
}

export type Scanner = {
  start: () => Promise<void>
  /** Lets go of the camera; its last picture stays. */
  hold: () => void
  nextCamera: () => Promise<void>
  toggle: (what: 'torch' | 'zoom') => Promise<void>
  /** For good. */
  leave: () => void
}

export function createScanner(video: HTMLVideoElement, still: HTMLCanvasElement, heard: Heard): Scanner {
  let state = NO_CAMERA
  let stream: MediaStream | null = null
  let reader: Reader | null = null
  let device: string | null = null
  /** Names the start that counts: an answer to an earlier one comes too late. */
  let turn = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  /** This camera has shown something, now or at an earlier start. */
  let isSeeing = false
  const twice = createTwice(() => performance.now())
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })

  function set(change: Partial<ScannerState>): void {
    state = { ...state, ...change }
    heard.state(state)
  }

  function letGo(): void {
    turn += 1
    clearTimeout(timer)
    if (stream) freeze()
    release(stream)
    stream = null
    video.srcObject = null
  }

  /** What was last seen stands where the picture was. */
  function freeze(): void {
    if (!video.videoWidth) return
    still.width = video.videoWidth
    still.height = video.videoHeight
    still.getContext('2d')?.drawImage(video, 0, 0)
  }

  function fail(trouble: CameraTrouble): void {
    letGo()
    set({ ...NO_CAMERA })
    heard.trouble(trouble)
  }

  async function start(): Promise<void> {
    letGo()
    const own = turn
    twice.resume()
    set({ phase: 'starting' })
    const found = await openCamera(device)
    if (own !== turn) {
      if (typeof found !== 'string') release(found)
      return
    }
    if (typeof found === 'string') return fail(found)
    stream = found
    const [track] = found.getVideoTracks()
    if (!track) return fail('missing')
    track.addEventListener('ended', () => {
      if (own !== turn) return
      letGo()
      set({ phase: 'ended' })
    })
    video.srcObject = found
    // A browser that does not play by itself plays when it is asked to; the picture tells whether it does.
    void video.play().catch(() => {})
    const isSeen = await firstPicture(video)
    if (own !== turn) return
    if (!isSeen) return fail('silent')
    const { torch, zoom } = abilitiesOf(track)
    set({ phase: 'live', torch: torch ? false : null, zoom: zoom === null ? null : false })
    void camerasOf().then((all) => own === turn && set({ others: all.length > 1 }))
    try {
      reader ??= await createReader(prepare(own))
    } catch {
      return own === turn ? fail('unread') : undefined
    }
    if (own !== turn) return
    set({ preparing: false })
    look(own, performance.now())
  }

  const prepare = (own: number) => () => {
    if (own === turn) set({ preparing: true })
  }

  /** `since` is when the picture came. */
  function look(own: number, since: number, wait = INTERVAL): void {
    timer = setTimeout(async () => {
      const begun = performance.now()
      const picture = take()
      // Only until it has shown something: a phone that lies on the table is dark, too.
      const dark = picture !== null && !isSeeing && isDark(picture)
      if (dark && begun - since > BLACK) return fail('black')
      isSeeing ||= picture !== null && !dark
      const read = picture && !dark ? await readOf(picture, own) : null
      if (own !== turn) return
      const sure = twice.pass(read)
      if (sure) heard.read(sure)
      if (own !== turn) return
      // The finger comes before the camera.
      look(own, since, Math.max(INTERVAL, performance.now() - begun))
    }, wait)
  }

  async function readOf(picture: ImageData, own: number): Promise<Read | null> {
    try {
      return (await reader?.(picture)) ?? null
    } catch {
      // The browser's own reader knows the formats and can't read: ours is fetched instead.
      reader = await createOwn(prepare(own)).catch(() => null)
      if (own !== turn) return null
      set({ preparing: false })
      if (!reader) fail('unread')
      return null
    }
  }

  function take(): ImageData | null {
    const { videoWidth: width, videoHeight: height } = video
    if (!context || !width || video.readyState < 2) return null
    const scale = Math.min(1, LARGEST / Math.max(width, height))
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    return context.getImageData(0, 0, canvas.width, canvas.height)
  }

  function hold(): void {
    if (state.phase !== 'live' && state.phase !== 'starting') return
    letGo()
    set({ phase: 'paused', preparing: false, torch: null, zoom: null })
  }

  async function nextCamera(): Promise<void> {
    const all = await camerasOf()
    const [track] = stream?.getVideoTracks() ?? []
    const at = all.indexOf(track?.getSettings().deviceId ?? '')
    isSeeing = false
    device = all[(at + 1) % Math.max(1, all.length)] ?? null
    await start()
  }

  async function toggle(what: 'torch' | 'zoom'): Promise<void> {
    const [track] = stream?.getVideoTracks() ?? []
    if (!track) return
    const on = !state[what]
    const zoom = on ? (abilitiesOf(track).zoom ?? 1) : 1
    if (await wish(track, what === 'torch' ? { torch: on } : { zoom })) set({ [what]: on })
  }

  // A hidden page has no camera; it starts again when the page is seen.
  const hide = () => {
    if (document.visibilityState === 'hidden') {
      if (state.phase === 'live' || state.phase === 'starting') {
        hold()
        away = true
      }
    } else if (away) {
      away = false
      void start()
    }
  }
  let away = false
  document.addEventListener('visibilitychange', hide)
  addEventListener('pagehide', hold)

  return {
    start,
    hold,
    nextCamera,
    toggle,
    leave() {
      letGo()
      document.removeEventListener('visibilitychange', hide)
      removeEventListener('pagehide', hold)
    },
  }
}

function firstPicture(video: HTMLVideoElement): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (seen: boolean) => {
      clearTimeout(timer)
      video.removeEventListener('loadeddata', first)
      resolve(seen)
    }
    const first = () => end(true)
    const timer = setTimeout(end, FIRST, false)
    if (video.readyState >= 2) end(true)
    else video.addEventListener('loadeddata', first)
  })
}

/** By every thousandth point or so: a picture that shows anything has bright ones. */
function isDark({ data }: ImageData): boolean {
  for (let at = 0; at < data.length; at += 4 * 997) {
    if (Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) > DARK) return false
  }
  return true
}
