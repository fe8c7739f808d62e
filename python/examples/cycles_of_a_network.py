"""How many cycles of each length a network has, and who is in most of them.

prints:

    length 3: 45
    length 4: 154
    length 5: 374
    length 6: 969
    in most cycles of length 6: 33, 2, 0
"""

import networkx as nx

import allpaths as ap

club = nx.karate_club_graph()
for length, cycles in enumerate(ap.count_cycles(club, max_length=6)):
    if length >= 3:
        print(f"length {length}: {cycles}")

by_member = ap.count_cycles(club, max_length=6, by="vertex")
ranked = sorted(club, key=lambda member: by_member[member][6], reverse=True)
print("in most cycles of length 6:", ", ".join(str(member) for member in ranked[:3]))
