type Props = { fields: Readonly<Record<string, string | number>> }

/** The values that a form sends without showing them. */
export function Hidden({ fields }: Props) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ))
}
