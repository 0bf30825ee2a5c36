/** What stands around every screen. */

import { Outlet, ScrollRestoration, useLoaderData, useLocation } from 'react-router'
import { Layout } from './frame/Layout.tsx'
import { usePageArrival } from './frame/page-arrival.ts'
import { Screen } from './lib/page/screens.tsx'
import { PageContext, usePage } from './lib/page/shell.ts'
import type { PageData } from './lib/page-data.ts'
import { Failure } from './parts/section/Failure.tsx'
import { Section } from './parts/section/Section.tsx'

/** Holds the page data of the whole tree. */
export function Root() {
  const data: PageData = useLoaderData()
  return (
    <PageContext value={data}>
      <Layout>
        <Outlet />
      </Layout>
      <Arrival data={data} />
      <ScrollRestoration />
    </PageContext>
  )
}

/** A component of its own: after a navigation only this is run for title and focus. */
function Arrival({ data }: { data: PageData }) {
  usePageArrival(data)
  return null
}

/** The screen of the page; another address starts it afresh, another query does not. */
export function Leaf() {
  const page = usePage()
  const { pathname } = useLocation()
  return (
    <Section key={pathname} name="screen" instead={<Failure />}>
      <Screen page={page} />
    </Section>
  )
}
