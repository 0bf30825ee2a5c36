import { type Location, type NavigationType, type Navigator, Router, useLocation } from 'react-router'
import { LockedContext, PageContext, usePage } from './lib/page/shell.ts'
import type { PageData } from './lib/page-data.ts'
import type { Action } from './lib/router/navigation.ts'
import { Boundary } from './parts/section/Section.tsx'
import { Root } from './root.tsx'
import { RootError } from './root-error.tsx'

type Props = {
  data: PageData
  /** Path and query, on the server. */
  location: Location | string
  action?: Action
  /** The code of the page could not be fetched. */
  failed?: boolean
}

/** The page of an address: the same tree on the server and in the browser. */
export function App({ data, location, action = 'POP', failed = false }: Props) {
  return (
    <Router location={location} navigationType={action as NavigationType} navigator={INERT}>
      <PageContext value={data}>
        <LockedContext value={data.shell.locked ?? false}>
          <Tree failed={failed} />
        </LockedContext>
      </PageContext>
    </Router>
  )
}

function Tree({ failed }: { failed: boolean }) {
  const { key } = useLocation()
  return (
    <Boundary at={key} page={usePage()} instead={<RootError />}>
      {failed ? <RootError /> : <Root />}
    </Boundary>
  )
}

function none(): never {
  throw new Error('lib/router navigates')
}

/** React Router tells the address and never navigates. */
const INERT: Navigator = { createHref: none, go: none, push: none, replace: none }
