import { Component, type ReactNode } from "react";

interface PlainFallbackProps {
  /** What is drawn, in plain words. */
  readonly text: () => string;
  readonly children: ReactNode;
}

/**
 * Something an agent said that cannot be drawn as it should is drawn as the plain text it is, such as quotes nested
 * deeper than any stack: one item never takes a session's page with it.
 */
export class PlainFallback extends Component<PlainFallbackProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return <PlainWords text={this.props.text()} />;
  }
}

export const PlainWords = ({ text }: { text: string }) => (
  <p className="whitespace-pre-wrap break-words">{text}</p>
);
