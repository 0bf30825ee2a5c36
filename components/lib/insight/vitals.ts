/** Web vitals of this page, told when they are settled. */

import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import type { Vital } from './batch.ts'

export function measure(report: (vital: Vital) => void): void {
  for (const on of [onCLS, onFCP, onINP, onLCP, onTTFB]) {
    on(({ name, value }) => report({ name, value: Math.round(value * 1000) / 1000 }))
  }
}
