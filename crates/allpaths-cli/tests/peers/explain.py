"""The pages of `allpaths explain` as a browser shows them: drawings, sorting, filters, search, pointer and keys do what they say."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import html5lib
from playwright.sync_api import sync_playwright
from report import PROGRAM, SCREENS, browser

DATA = Path(os.environ.get("ALLPATHS_DATA", "../shared"))
HOSTILE = "<script>alert(1)</script>"


def allpaths(*arguments) -> None:
    subprocess.run([PROGRAM, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def explain(folder: Path, data, name: str, *more) -> tuple[Path, dict]:
    """Trains a model, explains what it learnt from, and gives the page and the numbers."""
    model, page, numbers = (folder / f"{name}.{ending}" for ending in ("model", "html", "json"))
    allpaths("train", data, "-o", model, *more)
    allpaths("explain", model, data, "-o", page, "--json", numbers)
    return page, json.loads(numbers.read_text())


def opened(window, page: Path, screen: str = "desktop", scheme: str = "light", waits_for: str = ".card"):
    """A page in the browser, and what it says on its console."""
    width, height = SCREENS[screen]
    tab, said = window.new_page(viewport={"width": width, "height": height}, color_scheme=scheme), []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("dialog", lambda dialog: said.append(dialog.message))
    tab.on("request", lambda request: request.url.startswith("file:") or said.append(request.url))
    tab.goto(page.as_uri())
    tab.wait_for_selector(waits_for, state="attached")
    return tab, said


def shown(tab) -> list[int]:
    return [int(number) for number in tab.eval_on_selector_all(".card:not([hidden])", "all => all.map(card => card.dataset.i)")]


def check(window, page: Path, numbers: dict) -> None:
    """Everything that can be done with a page."""
    tab, said = opened(window, page)
    graphs = numbers["graphs"]
    scores = [graph["scores"][0] for graph in graphs]
    assert shown(tab) == list(range(len(graphs)))

    # Only what is seen is drawn, with every vertex and every edge.
    drawn = tab.locator(".card svg").count()
    assert drawn < len(graphs), drawn
    tab.locator(".card").nth(0).scroll_into_view_if_needed()
    first = tab.locator(".card svg").first
    first.wait_for()
    assert first.locator(".hit").count() == len(graphs[0]["shares"][0]["vertices"])
    tab.locator(".card").nth(len(graphs) - 1).scroll_into_view_if_needed()
    tab.wait_for_function("document.querySelectorAll('.card')[%d].querySelector('svg')" % (len(graphs) - 1))

    # Sorting.
    tab.select_option("#sort", "high")
    order = shown(tab)
    assert sorted(order) == list(range(len(graphs))) and all(
        scores[a] >= scores[b] - 1e-4 for a, b in zip(order, order[1:], strict=False)
    )
    tab.select_option("#sort", "low")
    assert shown(tab)[0] == min(range(len(graphs)), key=lambda graph: (round(scores[graph], 4), graph))
    tab.select_option("#sort", "number")

    # Filters.
    some = graphs[0]["class"]
    tab.select_option("#class", str(some))
    assert shown(tab) == [number for number, graph in enumerate(graphs) if graph["class"] == some]
    tab.select_option("#class", "")
    tab.select_option("#right", "wrong")
    wrong = len(shown(tab))
    tab.select_option("#right", "right")
    assert wrong + len(shown(tab)) == len(graphs)
    tab.select_option("#right", "")

    # Search, over graphs and over features.
    tab.fill("#search", "7")
    assert 7 in shown(tab)
    feature = graphs[0]["top"][0][0]["name"]
    tab.fill("#search", feature)
    has = [n for n, graph in enumerate(graphs) if any(feature.lower() in top["name"].lower() for top in graph["top"][0])]
    assert shown(tab) == has
    tab.fill("#search", "")
    heaviest = numbers["features"][0][0]["name"]
    tab.fill("#find", heaviest)
    rows = tab.locator("#features tbody tr")
    assert heaviest in [rows.nth(i).locator("td").first.text_content() for i in range(rows.count())]
    tab.fill("#find", "")
    tab.select_option("#sign", "-1")
    weights = tab.eval_on_selector_all("#features tbody tr td:nth-child(2)", "all => all.map(cell => cell.textContent)")
    assert weights and all(weight.startswith("\u2212") for weight in weights)
    tab.select_option("#sign", "")
    tab.locator("#features thead button", has_text="graphs").first.click()
    having = [int(text) for text in tab.eval_on_selector_all("#features tbody tr td:nth-child(3)", "all => all.map(cell => cell.textContent)")]
    assert having == sorted(having, reverse=True) and tab.locator("th[aria-sort=descending]").count() == 1

    # The pointer tells of a vertex, a click opens the graph, keys go through features and graphs.
    tab.locator(".card").nth(0).scroll_into_view_if_needed()
    tab.locator(".card").nth(0).locator("svg .hit").first.hover()
    assert tab.locator("#tip").text_content().startswith("vertex 0")
    tab.locator(".card").nth(0).focus()
    tab.keyboard.press("Enter")
    assert tab.locator("#details").is_visible() and tab.locator("#what").text_content().startswith("graph 0")
    tab.keyboard.press("ArrowDown")
    marked = graphs[0]["top"][0][0]["vertices"]
    assert tab.locator("#large .mark").count() == len(marked)
    tab.keyboard.press("ArrowRight")
    assert tab.locator("#what").text_content().startswith("graph 1")
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("Escape")
    assert not tab.locator("#details").is_visible()
    tab.select_option("#view", "bonds")
    tab.wait_for_function("document.querySelector('.card svg .tube')")
    assert not said, said
    tab.close()


def large(window, folder: Path) -> str:
    """A page of a thousand molecules: how large, and how long until it can be used."""
    source = DATA / "molecules" / "BBBP.csv"
    if not source.is_file():
        return f"skipped: no {source}"
    lines = source.read_text().splitlines()
    table = folder / "molecules.csv"
    table.write_text("\n".join(lines[:1001]) + "\n")
    read = ("--smiles-column", "smiles", "--target", "BBBP", "--on-error", "skip")
    model, page = folder / "bbb.model", folder / "bbb.html"
    allpaths("train", table, "--model", "linear", "--edge-labels", "--max-length", "4", "-o", model, *read)
    allpaths("explain", model, table, "-o", page, *read)
    size = page.stat().st_size
    assert size < 10_000_000, size
    begin = time.perf_counter()
    tab, said = opened(window, page)
    tab.wait_for_function("document.querySelector('#shown').textContent.includes('graphs')")
    seconds = time.perf_counter() - begin
    assert not said, said
    assert tab.locator(".card").count() > 900
    tab.close()
    return f"1,000 molecules: {size / 1e6:.2f} MB, open in {seconds:.2f} s"


def hostile(window, folder: Path) -> None:
    """Labels and names that would run as scripts are shown as text: SMILES files name their molecules."""
    smiles = folder / "hostile.smi"
    smiles.write_text("".join(f"{'C' * n}O {HOSTILE}\n" for n in range(3, 9)))
    allpaths("train", "demo", "--model", "linear", "-o", folder / "demo.model")
    page = folder / "hostile.html"
    allpaths("explain", folder / "demo.model", smiles, "-o", page)
    html5lib.HTMLParser(strict=True).parse(page.read_text())
    tab, said = opened(window, page)
    assert tab.locator(".card h3 span").first.text_content() == f"graph 0: {HOSTILE}"
    tab.locator(".card").first.click()
    assert HOSTILE in tab.locator("#what").text_content()
    tab.close()
    # A label, in a graph that is no molecule.
    graph = folder / "hostile.gml"
    nodes = "".join(f'node [ id {v} label "{HOSTILE if v else "C"}" ]\n' for v in range(3))
    graph.write_text(f"graph [\n{nodes}edge [ source 0 target 1 ]\nedge [ source 1 target 2 ]\n]\n")
    allpaths("explain", folder / "demo.model", graph, "-o", page)
    tab, more = opened(window, page)
    tab.locator(".card svg .hit").nth(1).hover()
    assert HOSTILE in tab.locator("#tip").text_content()
    assert tab.locator("script").count() == 2
    assert not said and not more, (said, more)
    tab.close()
    view(window, folder, graph)


def view(window, folder: Path, graph: Path) -> None:
    """The page of a single graph: every vertex is drawn, and tells its paths and cycles by a click or a key."""
    page = folder / "view.html"
    allpaths("view", graph, "--max-length", "4", "-o", page)
    html5lib.HTMLParser(strict=True).parse(page.read_text())
    command = [PROGRAM, "count", graph, "--max-length", "4", "--by", "vertex", "--format", "json"]
    vertices = json.loads(subprocess.check_output(command, stderr=subprocess.DEVNULL))["by_vertex"]
    tab, said = opened(window, page, waits_for=".disc")
    discs, numbers = tab.locator(".disc"), "#counts tbody tr td:nth-child(2)"
    assert discs.count() == len(vertices)
    texts = lambda: [text.replace("\u2009", "").replace(" ", "") for text in tab.eval_on_selector_all(numbers, "all => all.map(cell => cell.textContent)")]
    whole = texts()
    for number, vertex in enumerate(vertices):
        discs.nth(number).focus()
        tab.keyboard.press("Enter")
        assert tab.locator("#whose").text_content().startswith(f"Vertex {vertex['vertex']}")
        assert texts() == [str(count) for count in vertex["paths"]], (texts(), vertex)
    tab.keyboard.press("Escape")
    assert tab.locator("#whose").text_content() == "The whole graph" and texts() == whole
    discs.first.click()
    assert tab.locator(".disc.chosen").count() == 1 and tab.locator("#chart svg").count() == 1
    assert tab.locator("#labels tbody td").first.text_content() == HOSTILE or HOSTILE not in graph.read_text()
    assert not said, said
    tab.close()


def main() -> None:
    chromium = browser()
    pictures = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(temporary)
        window = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        pages = {"demo": explain(folder, "demo", "demo", "--model", "linear")}
        if (DATA / "datasets" / "MUTAG").is_dir():
            pages["mutag"] = explain(folder, DATA / "datasets" / "MUTAG", "mutag", "--model", "linear")
        else:
            print(f"skipped: no MUTAG in {DATA}: set ALLPATHS_DATA")
        for name, (page, numbers) in pages.items():
            html5lib.HTMLParser(strict=True).parse(page.read_text())
            check(window, page, numbers)
            for scheme in ("light", "dark"):
                for screen, (width, _) in SCREENS.items():
                    tab, said = opened(window, page, screen, scheme)
                    assert tab.evaluate("document.documentElement.scrollWidth") <= width, (name, screen)
                    assert not said, said
                    if pictures:
                        tab.screenshot(path=pictures / f"{name}-{screen}-{scheme}.png")
                    tab.close()
        hostile(window, folder)
        view(window, folder, Path("examples/caffeine.gml"))
        print(large(window, folder))
        window.close()
    print(f"explain: {' and '.join(pages)} can be sorted, filtered, searched, pointed at and gone through by keys, light and dark")


if __name__ == "__main__":
    main()
