/*
 * Stands in the head of each document on a tablet of a venue, so that it works where the app has not come or has stopped
 * (components/overlays/kiosk/begin.ts). After a restart nothing of a guest who has gone is seen; and when no guest has touched
 * the tablet for longer than the app would wait, the guest is forgotten by a plain form, which loads the page anew.
 */
const root = document.documentElement
/* The app forgets a guest who has not touched the tablet for so long; it goes first. */
const { away: seconds, rest } = document.currentScript.dataset
const away = Number(seconds) * 1000
const AFTER = 30000
/* It says every second that it is alive. */
const STOPPED = 10000

const began = Date.now()
let touched = began
try {
  const { value } = JSON.parse(localStorage.getItem("touched"))
  /* A clock that was set back tells nothing of how long no guest was here. */
  if (value > began || began - value > away) {
    root.dataset.gone = ""
    touched = began - away
  }
} catch {
  /* No guest was here, or nothing may be kept. */
}

for (const kind of ["pointerdown", "touchmove", "keydown", "wheel", "input"]) {
  addEventListener(kind, () => (touched = Date.now()), { capture: true, passive: true })
}

let asked = 0
setInterval(async () => {
  const now = Date.now()
  const seen = window._watched ?? 0
  if (now - seen < STOPPED || now - Math.max(seen, touched) < away + AFTER || now - asked < AFTER) return
  asked = now
  /* A document that is left for the browser's own error page would be the end of the tablet. */
  const answer = await fetch("/robots.txt", { cache: "no-store" }).catch(() => null)
  /* A tablet that has slept: the app only came later than this to look at its clock. */
  if (!answer?.ok || Date.now() - (window._watched ?? 0) < STOPPED) return
  const form = document.createElement("form")
  form.method = "post"
  form.action = "/kiosk/session/wipe"
  /* The app may have forgotten the guest at the same moment: only this page knows then where the tablet stands. */
  const input = document.createElement("input")
  input.name = "rest"
  input.value = rest
  form.append(input)
  root.append(form)
  form.submit()
}, 1000)
