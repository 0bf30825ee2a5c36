import { useMutation } from '../../lib/mutations/use-mutation.ts'
import type { BillPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { choosesDishes } from './chooses-dishes.ts'
import { Dishes } from './Dishes.tsx'
import { PayForm } from './PayForm.tsx'
import { payingOwn } from './paying-own.ts'
import { isOfPaying, problemOf } from './problem.ts'
import { splitHref } from './split-href.ts'

const SPLITS = ['all', 'dishes', 'equal', 'sum'] as const

type Props = { bill: BillPage }

/** The ways to divide the bill; with one of them chosen, its sums and the button that pays. */
export function Pay({ bill }: Props) {
  const t = useText()
  const { choice, problem, left, ways } = bill
  const choosing = useMutation({ lane: 'dishes' })
  const chooses = choosesDishes(bill)
  const alert = problemOf(t, bill)
  const isGood = problem === 'calledOff'
  const explains = alert !== null && isOfPaying(problem)
  const isEmpty = bill.total === 0
  // One payment at a time: a button that is refused is no button.
  const isPaying = payingOwn(bill) > 0
  const divides = ways.length > 0 && left > 0 && !isPaying
  return (
    <section className="card pay" aria-labelledby={isEmpty ? undefined : 'pay'}>
      {isEmpty ? null : <h2 id="pay">{t('bill.pay')}</h2>}
      {alert ? (
        <p
          className="note"
          data-bad={isGood ? undefined : ''}
          data-info={isGood ? '' : undefined}
          role={isGood ? 'status' : 'alert'}
        >
          {alert}
        </p>
      ) : null}
      {ways.length === 0 ? <p>{t('bill.notOnline')}</p> : null}
      {/* One message at a time: what came in the way before what is so anyway. */}
      {isPaying && left > 0 && !explains ? <p>{t('bill.ownFirst')}</p> : null}
      {left === 0 && !explains ? <p>{t(nothingLeft(bill, chooses))}</p> : null}
      {divides ? (
        <nav aria-label={t('bill.how')}>
          <ul className="splits">
            {SPLITS.map((split) => (
              <li key={split}>
                <Link
                  to={splitHref(bill, split)}
                  aria-current={choice?.split === split ? 'true' : undefined}
                  replace={choice !== null}
                  preventScrollReset
                >
                  {t(`bill.split.${split}`)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      {chooses ? <Dishes bill={bill} mutation={choosing} /> : null}
      {divides && choice ? (
        <PayForm key={choice.split} bill={bill} choice={choice} waits={choosing.status === 'sending'} />
      ) : null}
    </section>
  )
}

/** Why nothing can be paid: what is only at a bank may come back. */
function nothingLeft(bill: BillPage, chooses: boolean) {
  if (bill.total === 0) return 'bill.empty'
  if (bill.paying + payingOwn(bill) === 0) return 'bill.allPaid'
  return chooses ? 'bill.allPayingYours' : 'bill.allPaying'
}
