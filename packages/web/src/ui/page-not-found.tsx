import { Empty } from "./empty.tsx";
import { BackHome, Page } from "./page.tsx";

export function PageNotFound() {
  return (
    <Page title="Page not found">
      <Empty title="Page not found">
        <p>The link may be incomplete, or from another version of Drover.</p>
        <BackHome />
      </Empty>
    </Page>
  );
}
