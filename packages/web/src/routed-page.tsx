import type { ComponentType } from "react";
import { PageBoundary } from "./page-boundary.tsx";
import { type PageActions, pages } from "./pages.tsx";
import { buildPath, requiredParams } from "./routing/path.ts";
import type { Route } from "./routing/read-route.ts";
import { lazily } from "./ui/lazily.ts";
import { PageNotFound } from "./ui/page-not-found.tsx";

/** A page of the table, whose type says that it takes the parameters of its path. */
type View = ComponentType<PageActions>;

const views = new Map(pages.map(({ path, load }) => [path as string, lazily(load as () => Promise<View>)]));

/** Draws the page of the address. Required parameters say what a page shows; the others only how. */
export function RoutedPage({ route: { page, params }, ...actions }: { readonly route: Route } & PageActions) {
  const View = views.get(page?.path ?? "");
  if (!page || !View) return <PageNotFound />;
  const required = Object.fromEntries(requiredParams(page.path).map((name) => [name, params[name]]));
  const key = buildPath(page.path, required);
  return (
    <PageBoundary key={key}>
      <View {...params} {...actions} />
    </PageBoundary>
  );
}
