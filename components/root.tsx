/** What stands around every screen. */

import { type Location, Outlet, ScrollRestoration, useLoaderData, useLocation } from 'react-router'
import { usePageArrival } from './lib/page-arrival.ts'
import type { PageData } from './lib/page-data.ts'
import { Screen } from './lib/screens.tsx'
import { PageContext, usePage } from './lib/shell.ts'
import { Failure } from './parts/Failure.tsx'
import { Layout } from './parts/Layout.tsx'
import { Section } from './parts/Section.tsx'

/** Holds the page data of the whole tree. */
export function Root() {
  const data: PageData = useLoaderData()
  return (
    <PageContext value={data}>
      <Layout>
        <Outlet />
      </Layout>
      <Arrival data={data} />
      <ScrollRestoration getKey={keyOf} />
    </PageContext>
  )
}

/** The first entries of documents are all called `default`: those go by their address. */
function keyOf({ key, pathname, search }: Location): string {
  return key === 'default' ? pathname + search : key
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
