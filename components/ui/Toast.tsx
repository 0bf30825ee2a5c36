type Props = { children: string }

/** Confirms and goes by itself after 3 s (UI-06). What needs an answer is a note in the page, never a toast. */
export function Toast({ children }: Props) {
  return (
    <p className="toast" role="status">
      {children}
    </p>
  )
}
