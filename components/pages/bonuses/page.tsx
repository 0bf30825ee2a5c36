import { formatLongDay, formatMoney, formatRecentDay } from '../../lib/format/format.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BonusEntry, BonusesPage, BonusOffer, BonusStanding } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { Section } from '../../parts/section/Section.tsx'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Sum } from '../../ui/Money.tsx'
import '../../ui/gauge.css'
import './bonuses.css'

export const title: PageTitle<'bonuses'> = (_, t) => t('head.bonuses.title')

export const frame: PageFrame<'bonuses'> = { heading: title, back: () => paths.profile() }

type Props = { data: BonusesPage }

/** What a guest has to spend and until when, the level, gifts and coupons, what came and went, and the rules. */
export function Page({ data }: Props) {
  const t = useText()
  const { url } = useShell()
  const { balance, standing, gifts, coupons, history } = data
  const isWhole = balance && standing && gifts && coupons && history
  return (
    <div className="bonuses">
      {isWhole ? null : (
        <div className="note again">
          <p>{t('bonuses.failed')}</p>
          <a className="button" data-quiet href={url}>
            {t('app.retry')}
          </a>
        </div>
      )}
      <div>
        <Purse data={data} />
        <Section name="standing">
          <Standing standing={standing} />
        </Section>
      </div>
      <div>
        <Section name="offers">
          <Offers gifts={gifts} coupons={coupons} />
        </Section>
        <Section name="history">
          <History entries={history} />
        </Section>
        <Rules data={data} />
      </div>
    </div>
  )
}

/** What there is to spend, and until when (BL-01, BL-08). */
function Purse({ data: { balance, months, expiresAt } }: Props) {
  const t = useText()
  const { money, utcOffset } = useShell()
  if (!balance) {
    return (
      <section className="card purse">
        <p>{t('bonuses.unknown')}</p>
      </section>
    )
  }
  const parts = { bonus: formatMoney(balance.bonus, money), money: formatMoney(balance.money, money) }
  return (
    <section className="card purse" aria-labelledby="purse">
      <h2 id="purse">{t('bonuses.canSpend')}</h2>
      <p className="sum num">
        <Sum of={balance.total} money={money} />
      </p>
      {balance.money > 0 ? <p className="soft">{t('bonuses.parts', parts)}</p> : null}
      {balance.total === 0 ? <p className="soft">{t('bonuses.none')}</p> : null}
      {expiresAt === null ? null : (
        <p>
          <b>{t('bonuses.until', { date: formatLongDay(expiresAt, utcOffset, t.lang) })}</b>
        </p>
      )}
      {balance.bonus > 0 ? <p className="soft">{t('bonuses.extends', { months })}</p> : null}
    </section>
  )
}

/** The guest's level, what the next one asks for, and all of them as the upstream tells them (BL-09, BL-10). */
function Standing({ standing }: { standing: BonusStanding | null }) {
  const t = useText()
  if (!standing) {
    return (
      <section className="card">
        <p>{t('bonuses.standingFailed')}</p>
      </section>
    )
  }
  const { levels, current, most } = standing
  const own = current === null ? undefined : levels[current]
  return (
    <section className="card standing" aria-labelledby="standing">
      <h2 id="standing">{own ? t('bonuses.level', { name: own.name }) : t('bonuses.levels')}</h2>
      {own ? <p className="soft">{t('bonuses.cashback', { percent: own.cashback })}</p> : null}
      <Progress standing={standing} />
      <ol className="levels" aria-label={t('bonuses.levels')}>
        {levels.map((level, index) => (
          <li key={level.points} aria-current={index === current ? 'true' : undefined}>
            <span>
              <b>{level.name}</b>
              <span className="soft">
                {level.points > 0 ? t('bonuses.from', { points: level.points }) : t('bonuses.fromStart')}
                {index === current ? ` · ${t('bonuses.yours')}` : null}
              </span>
            </span>
            <b className="num">{t('bonuses.percent', { percent: level.cashback })}</b>
          </li>
        ))}
      </ol>
      <p className="soft">{t('bonuses.most', { percent: most })}</p>
    </section>
  )
}

/** How far it is to the next level, or to keeping this one; the words say the same as the bar. */
function Progress({ standing: { levels, current, points, toNext, toKeep } }: { standing: BonusStanding }) {
  const t = useText()
  if (current === null) return null
  const next = levels[current + 1]
  const below = levels[current - 1]
  if (toKeep !== null && below && points !== null) {
    return (
      <>
        <Bar points={points} goal={points + toKeep} />
        <p className="note">{t('bonuses.keep', { count: toKeep, name: below.name })}</p>
      </>
    )
  }
  if (!next) return <p>{t('bonuses.top')}</p>
  if (toNext === null || points === null) return null
  if (toNext === 0) return <p>{t('bonuses.ready', { name: next.name })}</p>
  return (
    <>
      <Bar points={points} goal={points + toNext} />
      <p>
        {t('bonuses.toNext', {
          count: toNext,
          name: next.name,
          percent: next.cashback,
        })}
      </p>
    </>
  )
}

function Bar({ points, goal }: { points: number; goal: number }) {
  const t = useText()
  const text = t('bonuses.progress', { points, next: goal })
  return (
    <div className="way">
      <progress className="gauge" value={points} max={goal} aria-label={text} />
      <span className="soft num" aria-hidden="true">
        {text}
      </span>
    </div>
  )
}

/** Gifts and coupons of the guest (BL-11). A code can be marked and copied without scripts, too. */
function Offers({ gifts, coupons }: Pick<BonusesPage, 'gifts' | 'coupons'>) {
  const t = useText()
  const offers = [
    ...(gifts ?? []).map((offer) => ({ ...offer, kind: t('bonuses.gift') })),
    ...(coupons ?? []).map((offer) => ({ ...offer, kind: t('bonuses.coupon') })),
  ]
  return (
    <section className="card" aria-labelledby="offers">
      <h2 id="offers">{t('bonuses.offers')}</h2>
      {offers.length > 0 ? (
        <>
          <p className="soft">{t('bonuses.useCode')}</p>
          <ul className="lines codes">
            {offers.map((offer) => (
              <Offer key={`${offer.kind} ${offer.code}`} {...offer} />
            ))}
          </ul>
        </>
      ) : gifts && coupons ? (
        <p className="soft">{t('bonuses.offersEmpty')}</p>
      ) : null}
      {gifts ? null : <p>{t('bonuses.giftsFailed')}</p>}
      {coupons ? null : <p>{t('bonuses.couponsFailed')}</p>}
    </section>
  )
}

/** What it gives, from which sum on, until when, and what it is: each kind says it in the same order. */
function Offer({ name, code, terms, kind }: BonusOffer & { kind: string }) {
  const t = useText()
  const { money, utcOffset } = useShell()
  const { percent, off, from, until } = terms
  const gain = percent ? t('bonuses.percent', { percent }) : off ? formatMoney(off, money) : ''
  const what = name === code ? kind : `${kind} · ${name}`
  return (
    <li>
      <span>
        <b>{gain ? t('bonuses.gain', { gain }) : what}</b>
        {from === null ? null : (
          <span className="soft">{t('bonuses.offerFrom', { sum: formatMoney(from, money) })}</span>
        )}
        {until === null ? null : (
          <span className="soft">
            {t('bonuses.offerUntil', { date: formatLongDay(until, utcOffset, t.lang) })}
          </span>
        )}
        {gain ? <span className="soft">{what}</span> : null}
      </span>
      <code translate="no">{code}</code>
      <CopyButton
        text={code}
        of={code}
        label={t('bonuses.copy')}
        done={t('bonuses.copied')}
        failed={t('bonuses.copyFailed')}
      />
    </li>
  )
}

/** What orders have brought and taken. */
function History({ entries }: { entries: BonusEntry[] | null }) {
  const t = useText()
  const { now } = useShell()
  return (
    <section className="card" aria-labelledby="history">
      <h2 id="history">{t('bonuses.history')}</h2>
      {entries === null ? <p>{t('bonuses.historyFailed')}</p> : null}
      {entries?.length === 0 ? <p className="soft">{t('bonuses.historyEmpty')}</p> : null}
      {entries && entries.length > 0 ? (
        <ul className="lines">
          {entries.map(({ number, place, at, words, utcOffset, earned, spent, money }) => (
            <li key={`${at} ${number}`}>
              <span>
                <b>{place || t('bonuses.entry', { number })}</b>
                <span className="soft">
                  {[
                    place ? t('bonuses.entry', { number }) : '',
                    at === null ? words : formatRecentDay(at, now, utcOffset, t.lang),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <span className="moved">
                {earned > 0 ? (
                  <span data-earned="">
                    {t('bonuses.earned')}{' '}
                    <b className="num">
                      +<Sum of={earned} money={money} />
                    </b>
                  </span>
                ) : null}
                {spent > 0 ? (
                  <span>
                    {t('bonuses.spent')}{' '}
                    <b className="num">
                      <Sum of={-spent} money={money} />
                    </b>
                  </span>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      <p className="soft">{t('bonuses.historyBills')}</p>
      <Link className="link" to={paths.orders()}>
        {t('bonuses.orders')}
      </Link>
    </section>
  )
}

/** The rules in plain words, with the figures that the upstream tells (BL-08 to BL-10). */
function Rules({ data: { months, firstBill } }: Props) {
  const t = useText()
  return (
    <section className="card" aria-labelledby="rules">
      <h2 id="rules">{t('bonuses.rules')}</h2>
      <ul className="rules">
        <li>{t('bonuses.ruleEarn')}</li>
        {firstBill === null ? null : <li>{t('bonuses.firstBill', { percent: firstBill })}</li>}
        <li>{t('bonuses.ruleSpend')}</li>
        <li>{t('bonuses.ruleExpire', { months })}</li>
        <li>
          {t('bonuses.ruleDrop')} {t('bonuses.ruleRestore')}
        </li>
      </ul>
      <Link className="link" to={paths.faq('earn')}>
        {t('bonuses.faq')}
        <Icon name="chevron-right" />
      </Link>
    </section>
  )
}
