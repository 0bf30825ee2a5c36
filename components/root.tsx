/** The tree under the router: what stands around every page, and the page. */

import { useContext } from 'react'
import { type Location, Outlet, ScrollRestoration, useLoaderData, useLocation } from 'react-router'
import { Layout } from './frame/Layout.tsx'
import { usePageArrival } from './frame/page-arrival.ts'
import { moduleOf, PagesContext } from './lib/page/pages.ts'
import { SCREEN } from './lib/page/sections.ts'
import { PageContext, usePage } from './lib/page/shell.ts'
import type { PageData } from './lib/page-data.ts'
import { Failure } from './parts/section/Failure.tsx'
import { Section } from './parts/section/Section.tsx'
import './styles/core.css'

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

/** The page that the server named; another address starts it afresh, another query does not. */
export function Leaf() {
  const page = usePage()
  const { pathname } = useLocation()
  const Page = moduleOf(useContext(PagesContext), page)?.Page
  return (
    <Section key={pathname} name={SCREEN} instead={<Failure />}>
      {Page ? <Page data={page.data} /> : null}
    </Section>
  )
}
