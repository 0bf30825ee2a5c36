import type { BillLine, BillPage } from '../../lib/page-data.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { Sum } from '../../ui/Money.tsx'
import '../../ui/badge.css'

type Props = { bill: BillPage; changed: ReadonlySet<string> }

/** What was brought, and what of it others have taken or paid. */
export function BillLines({ bill, changed }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
  return (
    <ul className="lines">
      {bill.lines.map((line) => (
        <li key={line.key} data-changed={changed.has(line.key) || undefined}>
          <span>
            <span lang={langOf(line.name)}>{line.name}</span>
            {line.count > 1 ? <span className="num">{`\u00a0× ${line.count}`}</span> : null}
            {changed.has(line.key) ? (
              <>
                {' '}
                <em className="badge">{t('bill.changed')}</em>
              </>
            ) : null}
            <Whose line={line} />
          </span>
          <span className="num">
            <Sum of={line.sum} money={bill.money} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Who has what of a line, in words. */
export function Whose({ line }: { line: BillLine }) {
  const t = useText()
  const words = whose(t, line)
  return words ? <span className="soft">{words}</span> : null
}

function whose(t: Text, { count, mine, others, paying, paid }: BillLine): string {
  return [
    paid === 0 ? '' : paid === count ? t('bill.linePaid') : t('bill.lineSomePaid', { count: paid }),
    others === 0 ? '' : others === count ? t('bill.lineTaken') : t('bill.lineSomeTaken', { count: others }),
    paying > 0 ? t('bill.linePaying', { count: paying }) : '',
    mine > 0 ? t('bill.lineMine', { count: mine }) : '',
  ]
    .filter(Boolean)
    .join(' · ')
}
