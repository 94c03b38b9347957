/** Sets `--scroll-bar` to the room that a scrolling box keeps for a scroll bar on each side; CSS cannot ask for it. */
export function measureScrollBar(): void {
  const box = document.createElement("div");
  box.className = "column-scroller invisible absolute size-20";
  document.body.append(box);
  const width = (box.offsetWidth - box.clientWidth) / 2;
  box.remove();
  document.documentElement.style.setProperty("--scroll-bar", `${width}px`);
}
