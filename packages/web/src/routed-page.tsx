import type { ComponentType } from "react";
import { PageBoundary } from "./page-boundary.tsx";
import { type PageActions, pages } from "./pages.tsx";
import { buildPath, requiredParams } from "./routing/path.ts";
import type { Route } from "./routing/read-route.ts";
import { lazily } from "./ui/lazily.ts";
import { PageNotFound } from "./ui/page-not-found.tsx";

/** The types of the table ensure that a page accepts the parameters of its path. */
type View = ComponentType<PageActions>;

const views = new Map(pages.map(({ path, load }) => [path as string, lazily(load as () => Promise<View>)]));

/** Renders the page of a route. It is remounted when a required parameter changes, but not for optional ones. */
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
