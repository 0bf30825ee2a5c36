type Props = {
  /** By which its field names it in `aria-describedby`. */
  id: string
  children: string | undefined
}

/** What is wrong with a field, below it; nothing as long as it is right. */
export function ErrorLine({ id, children }: Props) {
  return children ? (
    <span id={id} className="error">
      {children}
    </span>
  ) : null
}
