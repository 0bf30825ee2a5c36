import './ornament.css'

/** The ram's-horn band (қошқар мүйіз), the one ornament: under the header of Home and on empty and thank-you pages. */
export function Ornament() {
  return (
    <svg className="ornament" aria-hidden="true">
      <pattern id="horn" width="56" height="24" patternUnits="userSpaceOnUse">
        <path
          d="M28 22V12C28 4 14 2 13 10c-.6 5 6 6 6.5 2M28 12C28 4 42 2 43 10c.6 5-6 6-6.5 2M0 15l4-4-4-4M56 15l-4-4 4-4"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
        />
      </pattern>
      <rect width="100%" height="24" fill="url(#horn)" />
    </svg>
  )
}
