import { Component, type ReactNode } from "react";
import { Button } from "./ui/button.tsx";
import { Empty } from "./ui/empty.tsx";
import { BackHome } from "./ui/page.tsx";

interface PageBoundaryProps {
  readonly children: ReactNode;
}

/** Keeps the sidebar and shortcuts working when a page fails to render or its code cannot be loaded. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <Empty title="This page can't be displayed" alert>
        <p className="mb-4">
          Nothing is lost: agents keep working and your drafts are saved. If reloading doesn't help, check the
          browser console.
        </p>
        <Button look="primary" onClick={() => location.reload()}>
          Reload
        </Button>
        <BackHome />
      </Empty>
    );
  }
}
