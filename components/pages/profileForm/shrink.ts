/** A photo made small by the browser before it is sent: a phone's has many megabytes (PR-11). */

/** Pixels of the longer side: more than the server keeps. */
const LONGEST = 1024
const QUALITY = 0.85

/** The photo upright and small, as an input of files takes it; null when this browser can't read or make it. */
export async function shrunk(photo: File): Promise<FileList | null> {
  try {
    const bitmap = await createImageBitmap(photo, { imageOrientation: 'from-image' })
    const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    bitmap.close()
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
    if (!blob) return null
    const files = new DataTransfer()
    files.items.add(new File([blob], 'photo.jpg', { type: 'image/jpeg' }))
    return files.files
  } catch {
    return null
  }
}
