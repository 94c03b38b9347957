import { expect, test } from "vitest";
import { parseRemoteUrl } from "../../src/git/remote-url.ts";
import { forgeOf } from "../../src/workspace/forge.ts";

const parse = (text: string) => parseRemoteUrl(text, "/home/me/widget");

test.each([
  ["https://github.com/acme/widget.git", "github.com", "acme/widget.git"],
  ["https://me:token@github.com/acme/widget", "github.com", "acme/widget"],
  ["http://[::1]:8080/widget.git", "[::1]", "widget.git"],
  ["ssh://git@Example.com:2222/~me/widget.git", "example.com", "~me/widget.git"],
  ["git@github.com:acme/widget.git", "github.com", "acme/widget.git"],
  ["host_alias:widget", "host_alias", "widget"],
])("%s is a repository of a host", (text, host, path) => {
  expect(parse(text)).toEqual({ kind: "network", url: text, host, path });
});

test.each([
  ["/srv/widget.git", "/srv/widget.git"],
  ["../widget.git", "/home/me/widget.git"],
  ["a:b/widget.git".replace("a:b", "./a:b"), "/home/me/widget/a:b/widget.git"],
  ["file:///srv/widget.git", "file:///srv/widget.git"],
])("%s is a repository on this machine", (text, url) => {
  expect(parse(text)).toEqual({ kind: "local", url });
});

test.each([
  "",
  "ext::sh -c true",
  "fd::17",
  "foo::bar",
  "git://example.com/widget.git",
  "ftp://example.com/widget.git",
  "file://example.com/widget.git",
  "-u/widget.git",
  "--upload-pack=evil",
  "ssh://-oProxyCommand=evil/widget",
  "ssh://-oProxyCommand=evil@host/widget",
  "-oProxyCommand=evil:widget",
  "me@-oProxyCommand=evil:widget",
  "https://example.com/a b",
  "https://example.com\\@evil.test/widget",
  "https://example.com/widget\nfoo",
  "https:///widget",
  "host::widget",
  "a b:c",
])("%j is no address that is pushed to", (text) => {
  expect(parse(text)).toBeUndefined();
});

test.each([
  ["git@github.com:acme/widget.git", "https://github.com/acme/widget/compare/main...drover/fox?expand=1"],
  [
    "ssh://git@ssh.github.com:443/acme/widget.git",
    "https://github.com/acme/widget/compare/main...drover/fox?expand=1",
  ],
  [
    "https://me:token@gitlab.example.com/group/sub/widget.git/",
    "https://gitlab.example.com/group/sub/widget/-/merge_requests/new?merge_request%5Bsource_branch%5D=drover%2Ffox&merge_request%5Btarget_branch%5D=main",
  ],
  [
    "git@bitbucket.org:acme/widget.git",
    "https://bitbucket.org/acme/widget/pull-requests/new?source=drover%2Ffox&dest=main",
  ],
  ["https://codeberg.org/acme/widget", "https://codeberg.org/acme/widget/compare/main...drover/fox"],
])("a pull request for %s is opened at %s", (text, page) => {
  expect(forgeOf(parse(text))?.pageFor({ branch: "drover/fox", into: "main" })).toBe(page);
});

test.each([
  "https://example.com/acme/widget.git",
  "https://github.com/widget",
  "https://github.com/acme/wid?get",
  "https://github.com.evil.test@example.com/acme/widget",
  "/srv/github.com/widget.git",
])("nothing is known about pull requests for %s", (text) => {
  expect(forgeOf(parse(text))).toBeUndefined();
});
