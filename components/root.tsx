/** The tree under the router: what stands around every page, and the page. */

import { useContext } from 'react'
import { useLocation } from 'react-router'
import { Layout } from './frame/Layout.tsx'
import { usePageArrival } from './frame/page-arrival.ts'
import { moduleOf, PagesContext } from './lib/page/pages.ts'
import { SCREEN } from './lib/page/sections.ts'
import { usePage } from './lib/page/shell.ts'
import { KeepScroll } from './lib/router/KeepScroll.tsx'
import { Failure } from './parts/section/Failure.tsx'
import { Section } from './parts/section/Section.tsx'
import './styles/core.css'

export function Root() {
  return (
    <>
      <Layout>
        <Leaf />
      </Layout>
      <Arrival />
      <KeepScroll />
    </>
  )
}

/** A component of its own: after a navigation only this is run for title and focus. */
function Arrival() {
  usePageArrival()
  return null
}

/** The page that the server named; another address starts it afresh, another query does not. */
function Leaf() {
  const page = usePage()
  const { pathname } = useLocation()
  const Page = moduleOf(useContext(PagesContext), page)?.Page
  return (
    <Section key={pathname} name={SCREEN} instead={<Failure />}>
      {Page ? <Page data={page.data} /> : null}
    </Section>
  )
}
